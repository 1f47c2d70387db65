{ Shows a form of real LCL controls as a layout file says and writes where everything stands.

    widgets_lazarus LAYOUT TRUTH      a record a line, fields parted by tabs, UTF-8; widgets_lazarus.py writes and reads them }
program widgets_lazarus;
{$mode objfpc}{$H+}
uses
  Interfaces, Classes, SysUtils, Types, Math, Forms, Controls, Graphics, StdCtrls, ExtCtrls, ComCtrls, Buttons, Grids, Spin, EditBtn, Menus, CheckLst, ImgList,
  LCLType, LCLIntf, Toolwin, gtk2, gdk2, glib2;

type
  TFields = array of string;

  TShow = class
    Form: TForm;
    Made: array[0..3000] of TComponent;
    Images: TImageList;
    Truth: TStringList;
    Tick: integer;
    Editing: TStringGrid;
    procedure Timer(Sender: TObject);
    procedure Mark(Sender: TObject; aCol, aRow: integer; aRect: TRect; aState: TGridDrawState);
    procedure Load(const Name: string);
    procedure One(const F: TFields);
    procedure Act(C: TComponent; const F: TFields);
    procedure Put(const Role: string; R: TRect; C: TControl; const More: string);
    procedure Words(C: TControl; const S: string; R: TRect);
    procedure Walk(P: TWinControl);
    procedure Grid(G: TStringGrid);
    procedure Tree(T: TTreeView);
  end;

var
  Show: TShow;

function Str(const F: TFields; I: integer): string;
begin
  if I < Length(F) then
    Result := StringReplace(F[I], #1, LineEnding, [rfReplaceAll])
  else
    Result := '';
end;

function Num(const F: TFields; I: integer): integer;
begin
  Result := StrToIntDef(Str(F, I), 0);
end;

procedure TShow.Mark(Sender: TObject; aCol, aRow: integer; aRect: TRect; aState: TGridDrawState);
var
  G: TStringGrid;
  X, Y: integer;
begin
  G := TStringGrid(Sender);
  if (aCol = 0) and (aRow = G.Row) and (G.Tag and 1 <> 0) then
  begin
    X := aRect.Left + 4;
    Y := (aRect.Top + aRect.Bottom) div 2;
    G.Canvas.Brush.Color := clWindowText;
    G.Canvas.Pen.Color := clWindowText;
    G.Canvas.Polygon([Point(X, Y - 4), Point(X + 4, Y), Point(X, Y + 4)]);
  end;
end;

procedure TShow.Load(const Name: string);
var
  L: TStringList;
  I, J, K: integer;
  F: TFields;
  S: string;
begin
  L := TStringList.Create;
  L.LoadFromFile(Name);
  for I := 0 to L.Count - 1 do
  begin
    S := L[I];
    SetLength(F, 0);
    K := 1;
    for J := 1 to Length(S) + 1 do
      if (J > Length(S)) or (S[J] = #9) then
      begin
        SetLength(F, Length(F) + 1);
        F[High(F)] := Copy(S, K, J - K);
        K := J + 1;
      end;
    if (Length(F) > 0) and (F[0] <> '') then
      One(F);
  end;
  L.Free;
end;

procedure TShow.One(const F: TFields);
var
  C: TControl;
  P: TWinControl;
  Kind: string;
  M: TMenuItem;
  Pic: TPicture;
begin
  case F[0] of
    'S': { width, height, colour, font, its pixels }
      begin
        Form := TForm.CreateNew(nil);
        Form.BorderStyle := bsNone;
        Form.SetBounds(0, 0, Num(F, 1), Num(F, 2));
        if Num(F, 3) >= 0 then
          Form.Color := TColor(Num(F, 3));
        Form.Font.Name := Str(F, 4);
        Form.Font.Height := -Num(F, 5);
        Form.ShowHint := False;
        Made[0] := Form;
        Images := TImageList.Create(Form);
        Images.Width := Num(F, 6);
        Images.Height := Num(F, 6);
      end;
    'I': { a picture for the list }
      begin
        Pic := TPicture.Create;
        Pic.LoadFromFile(Str(F, 1));
        Images.Add(Pic.Bitmap, nil);
        Pic.Free;
      end;
    'M': { text, enabled }
      begin
        if Form.Menu = nil then
          Form.Menu := TMainMenu.Create(Form);
        M := TMenuItem.Create(Form.Menu);
        M.Caption := Str(F, 1);
        M.Enabled := Num(F, 2) <> 0;
        Form.Menu.Items.Add(M);
      end;
    'K': { id, parent, kind, x, y, w, h, text }
      begin
        Kind := Str(F, 3);
        P := TWinControl(Made[Num(F, 2)]);
        case Kind of
          'edit': C := TEdit.Create(Form);
          'memo': C := TMemo.Create(Form);
          'spin': C := TSpinEdit.Create(Form);
          'float': C := TFloatSpinEdit.Create(Form);
          'date': C := TDateEdit.Create(Form);
          'file': C := TFileNameEdit.Create(Form);
          'combo': C := TComboBox.Create(Form);
          'check': C := TCheckBox.Create(Form);
          'radio': C := TRadioButton.Create(Form);
          'radios': C := TRadioGroup.Create(Form);
          'checks': C := TCheckGroup.Create(Form);
          'button': C := TButton.Create(Form);
          'bitbtn': C := TBitBtn.Create(Form);
          'speed': C := TSpeedButton.Create(Form);
          'list': C := TListBox.Create(Form);
          'checklist': C := TCheckListBox.Create(Form);
          'grid': C := TStringGrid.Create(Form);
          'pages': C := TPageControl.Create(Form);
          'page':
            begin
              C := TPageControl(P).AddTabSheet;
            end;
          'tree': C := TTreeView.Create(Form);
          'track': C := TTrackBar.Create(Form);
          'bar': C := TToolBar.Create(Form);
          'tool': C := TToolButton.Create(Form);
          'status': C := TStatusBar.Create(Form);
          'group': C := TGroupBox.Create(Form);
          'panel': C := TPanel.Create(Form);
          'image': C := TImage.Create(Form);
        else
          C := TLabel.Create(Form);
        end;
        Made[Num(F, 1)] := C;
        if Kind <> 'page' then
          C.Parent := P;
        if Kind = 'label' then
          TLabel(C).AutoSize := False;
        if Kind = 'panel' then
        begin
          TPanel(C).Caption := '';
          TPanel(C).BevelOuter := bvNone;
        end;
        if (Kind <> 'page') and (Kind <> 'tool') and (Kind <> 'status') then
          C.SetBounds(Num(F, 4), Num(F, 5), Num(F, 6), Num(F, 7));
        if (Kind = 'label') or (Kind = 'check') or (Kind = 'radio') or (Kind = 'button') or (Kind = 'bitbtn') or (Kind = 'speed') or (Kind = 'group') or (Kind = 'page') or (Kind = 'radios') or (Kind = 'checks') or (Kind = 'tool') then
          C.Caption := Str(F, 8);
        if Kind = 'edit' then
          TEdit(C).Text := Str(F, 8)
        else if Kind = 'memo' then
          TMemo(C).Lines.Text := Str(F, 8)
        else if Kind = 'date' then
          TDateEdit(C).Text := Str(F, 8)
        else if Kind = 'file' then
          TFileNameEdit(C).Text := Str(F, 8)
        else if Kind = 'bar' then
        begin
          TToolBar(C).Images := Images;
          TToolBar(C).EdgeBorders := [ebBottom];
          TToolBar(C).Align := alNone;
          TToolBar(C).Wrapable := False;
          C.SetBounds(Num(F, 4), Num(F, 5), Num(F, 6), Num(F, 7));
        end
        else if Kind = 'tree' then
          TTreeView(C).ReadOnly := True
        else if Kind = 'bitbtn' then
        begin
          TBitBtn(C).Images := Images;
          TBitBtn(C).ImageIndex := Num(F, 9);
        end
        else if Kind = 'speed' then
        begin
          TSpeedButton(C).Images := Images;
          TSpeedButton(C).ImageIndex := Num(F, 9);
          TSpeedButton(C).Flat := Num(F, 10) <> 0;
        end
        else if Kind = 'image' then
        begin
          TImage(C).Picture.LoadFromFile(Str(F, 8));
          TImage(C).Stretch := True;
        end;
      end;
    'A': Act(Made[Num(F, 1)], F);
  end;
end;

procedure TShow.Act(C: TComponent; const F: TFields);
var
  K: string;
  I: integer;
  G: TStringGrid;
  N: TTreeNode;
  Col: TGridColumn;
begin
  K := Str(F, 2);
  if K = 'off' then
    TControl(C).Enabled := False
  else if K = 'password' then
    TEdit(C).PasswordChar := '*'
  else if K = 'hint' then
    TEdit(C).TextHint := Str(F, 3)
  else if K = 'readonly' then
    TEdit(C).ReadOnly := True
  else if K = 'ink' then
    TControl(C).Font.Color := TColor(Num(F, 3))
  else if K = 'colour' then
    TControl(C).Color := TColor(Num(F, 3))
  else if K = 'bold' then
    TControl(C).Font.Style := [fsBold]
  else if K = 'big' then
    TControl(C).Font.Height := Num(F, 3)
  else if K = 'link' then
  begin
    TControl(C).Font.Style := [fsUnderline];
    C.Tag := 7;
  end
  else if K = 'right' then
    TLabel(C).Alignment := taRightJustify
  else if K = 'middle' then
    TLabel(C).Layout := tlCenter
  else if K = 'on' then
  begin
    if C is TCheckBox then
      TCheckBox(C).State := TCheckBoxState(Num(F, 3))
    else if C is TRadioButton then
      TRadioButton(C).Checked := Num(F, 3) <> 0
    else if C is TRadioGroup then
      TRadioGroup(C).ItemIndex := Num(F, 3)
    else if C is TCheckGroup then
      TCheckGroup(C).Checked[Num(F, 3)] := True
    else if C is TCheckListBox then
      TCheckListBox(C).Checked[Num(F, 3)] := True
    else if C is TPageControl then
      TPageControl(C).PageIndex := Num(F, 3)
    else if C is TListBox then
      TListBox(C).ItemIndex := Num(F, 3)
    else if C is TComboBox then
      TComboBox(C).ItemIndex := Num(F, 3)
    else if C is TTrackBar then
      TTrackBar(C).Position := Num(F, 3)
    else if C is TFloatSpinEdit then
      TFloatSpinEdit(C).Value := Num(F, 3) / 100
    else if C is TSpinEdit then
      TSpinEdit(C).Value := Num(F, 3);
  end
  else if K = 'item' then
  begin
    if C is TComboBox then
      TComboBox(C).Items.Add(Str(F, 3))
    else if C is TRadioGroup then
      TRadioGroup(C).Items.Add(Str(F, 3))
    else if C is TCheckGroup then
      TCheckGroup(C).Items.Add(Str(F, 3))
    else
      TCustomListBox(C).Items.Add(Str(F, 3));
  end
  else if K = 'columns' then
  begin
    if C is TRadioGroup then
      TRadioGroup(C).Columns := Num(F, 3)
    else
      TCheckGroup(C).Columns := Num(F, 3);
  end
  else if K = 'ronly' then
    TComboBox(C).Style := csDropDownList
  else if K = 'ticks' then
    TTrackBar(C).TickStyle := TTickStyle(Num(F, 3))
  else if K = 'side' then
    TPageControl(C).TabPosition := TTabPosition(Num(F, 3))
  else if K = 'labels' then
  begin
    TToolBar(C).ShowCaptions := True;
    TToolBar(C).List := Num(F, 3) <> 0;
  end
  else if K = 'size' then
  begin
    TToolBar(C).ButtonWidth := Num(F, 3);
    TToolBar(C).ButtonHeight := Num(F, 4);
    TToolBar(C).Flat := Num(F, 5) <> 0;
  end
  else if K = 'tool' then { image, kind }
  begin
    with TToolButton(C) do
    begin
      ImageIndex := Num(F, 3);
      case Num(F, 4) of
        1: Style := tbsSeparator;
        2: Style := tbsDropDown;
        3: Style := tbsDivider;
      end;
      Left := 5000;
    end;
  end
  else if K = 'panelat' then { width, text }
  begin
    with TStatusBar(C).Panels.Add do
    begin
      Width := Num(F, 3);
      Text := Str(F, 4);
    end;
    TStatusBar(C).SimplePanel := False;
  end
  else if K = 'leaf' then { level, image, open, selected, text }
  begin
    with TTreeView(C) do
    begin
      N := nil;
      I := Num(F, 3);
      if Items.Count > 0 then
        N := Items[Items.Count - 1];
      while (N <> nil) and (N.Level >= I) do
        N := N.Parent;
      N := Items.AddChild(N, Str(F, 7));
      N.ImageIndex := Num(F, 4);
      N.SelectedIndex := Num(F, 4);
      N.StateIndex := -1;
      if Num(F, 6) <> 0 then
        N.Selected := True;
    end;
  end
  else if K = 'grown' then
  begin
    TTreeView(C).FullExpand;
    if Num(F, 3) <> 0 then
      TTreeView(C).Images := Images;
    TTreeView(C).TopItem := TTreeView(C).Items.GetFirstNode;
  end
  else if K = 'grid' then { columns, rows, fixed columns, row height, style of titles, flags, colour of titles, other colour }
  begin
    G := TStringGrid(C);
    G.FixedCols := 0;
    G.ColCount := Num(F, 3);
    G.RowCount := Num(F, 4);
    if G.RowCount > 1 then
      G.FixedRows := 1;
    G.FixedCols := Num(F, 5);
    G.DefaultRowHeight := Num(F, 6);
    G.TitleStyle := TTitleStyle(Num(F, 7));
    I := Num(F, 8);
    G.Options := G.Options - [goVertLine, goHorzLine, goFixedVertLine, goFixedHorzLine, goRangeSelect, goRowSelect];
    if I and 1 <> 0 then
      G.Options := G.Options + [goVertLine];
    if I and 2 <> 0 then
      G.Options := G.Options + [goHorzLine];
    if I and 4 <> 0 then
      G.Options := G.Options + [goFixedVertLine, goFixedHorzLine];
    if I and 8 <> 0 then
      G.Options := G.Options + [goRowSelect];
    G.Flat := I and 16 <> 0;
    if I and 32 <> 0 then
      G.BorderStyle := bsNone;
    G.Tag := 0;
    if I and 64 <> 0 then
    begin
      G.Tag := 1;
      G.OnDrawCell := @Mark;
    end;
    if Num(F, 9) >= 0 then
      G.FixedColor := TColor(Num(F, 9));
    if Num(F, 10) >= 0 then
      G.AlternateColor := TColor(Num(F, 10));
  end
  else if K = 'col' then { column, width, kind, title }
  begin
    G := TStringGrid(C);
    if Num(F, 5) >= 0 then
    begin
      while G.Columns.Count < Num(F, 3) + 1 do
        G.Columns.Add;
      Col := G.Columns[Num(F, 3)];
      Col.Width := Num(F, 4);
      Col.Title.Caption := Str(F, 6);
      case Num(F, 5) of
        1: Col.Alignment := taRightJustify;
        2: Col.ButtonStyle := cbsCheckboxColumn;
        3: Col.Alignment := taCenter;
      end;
    end
    else
      G.ColWidths[Num(F, 3)] := Num(F, 4);
  end
  else if K = 'cell' then
    TStringGrid(C).Cells[Num(F, 3), Num(F, 4)] := Str(F, 5)
  else if K = 'at' then { column, row, editing }
  begin
    G := TStringGrid(C);
    G.Col := Num(F, 3);
    G.Row := Num(F, 4);
    if Num(F, 5) <> 0 then
    begin
      G.Options := G.Options + [goEditing, goAlwaysShowEditor];
      Editing := G;
    end;
  end;
end;

procedure TShow.Put(const Role: string; R: TRect; C: TControl; const More: string);
var
  P: TWinControl;
  Q, L: TRect;
  A: TPoint;
begin
  { R is on the screen; what the parents leave of it }
  Q := R;
  P := C.Parent;
  if (C is TWinControl) and ((C is TCustomGrid) or (C is TCustomListBox) or (C is TTreeView)) then
    P := TWinControl(C);
  while P <> nil do
  begin
    A := P.ClientToScreen(Point(0, 0));
    L := Rect(A.X, A.Y, A.X + P.ClientWidth, A.Y + P.ClientHeight);
    if not IntersectRect(Q, Q, L) then
      exit;
    P := P.Parent;
  end;
  Truth.Add(Format('E'#9'%s'#9'%d'#9'%d'#9'%d'#9'%d'#9'%d'#9'%d'#9'%s', [Role, Q.Left, Q.Top, Q.Right, Q.Bottom, (R.Right - R.Left) * (R.Bottom - R.Top), Ord(C.IsEnabled), More]));
end;

function OnScreen(C: TControl; R: TRect): TRect;
var
  A: TPoint;
begin
  A := C.ClientToScreen(Point(0, 0));
  Result := Rect(R.Left + A.X, R.Top + A.Y, R.Right + A.X, R.Bottom + A.Y);
end;

{ The writing mark is in it. }
function Lit(C: TControl): string;
begin
  Result := '';
  if (C is TWinControl) and TWinControl(C).Focused then
    Result := 'f';
end;

procedure TShow.Words(C: TControl; const S: string; R: TRect);
begin
  if Trim(S) <> '' then
    Put('text', R, C, '');
end;

procedure TShow.Grid(G: TStringGrid);
var
  I, J: integer;
  R: TRect;
  On_: string;
begin
  for J := 0 to G.RowCount - 1 do
    for I := 0 to G.ColCount - 1 do
    begin
      if (J >= G.FixedRows) and ((J < G.TopRow) or (J > G.TopRow + G.VisibleRowCount)) then
        continue;
      if (I >= G.FixedCols) and ((I < G.LeftCol) or (I > G.LeftCol + G.VisibleColCount)) then
        continue;
      if (I = 0) and (G.Tag and 1 <> 0) then
        continue;
      R := OnScreen(G, G.CellRect(I, J));
      if (J >= G.FixedRows) and (I >= G.FixedCols) and (I - G.FixedCols < G.Columns.Count) and (G.Columns[I - G.FixedCols].ButtonStyle = cbsCheckboxColumn) then
      begin
        On_ := '0';
        if G.Cells[I, J] = '1' then
          On_ := '1';
        Put('checkbox', R, G, 'g' + On_);
      end
      else if (G = Editing) and (I = G.Col) and (J = G.Row) and (G.Editor <> nil) and G.Editor.Visible then
        Put('textbox', R, G, '')
      else
        Put('cell', R, G, '');
    end;
end;

procedure TShow.Tree(T: TTreeView);
var
  I: integer;
  N: TTreeNode;
  R: TRect;
begin
  for I := 0 to T.Items.Count - 1 do
  begin
    N := T.Items[I];
    if not N.IsVisible then
      continue;
    R := N.DisplayRect(True);
    if T.Images <> nil then
      R.Left := N.DisplayIconLeft;
    Put('listitem', OnScreen(T, R), T, '');
  end;
end;

procedure TShow.Walk(P: TWinControl);
var
  I, J, X, Y: integer;
  C: TControl;
  R, Q: TRect;
  A: TPoint;
  Z: TSize;
  S: string;
  E: TCustomEditButton;
begin
  for I := 0 to P.ControlCount - 1 do
  begin
    C := P.Controls[I];
    if not C.IsVisible then
      continue;
    A := C.Parent.ClientToScreen(Point(C.Left, C.Top));
    R := Rect(A.X, A.Y, A.X + C.Width, A.Y + C.Height);
    S := StringReplace(C.Caption, '&', '', [rfReplaceAll]);
    Form.Canvas.Font := C.Font;
    Z := Form.Canvas.TextExtent(S);
    if C is TLabel then
    begin
      X := R.Left;
      Y := R.Top;
      if TLabel(C).Alignment = taRightJustify then
        X := R.Right - Z.cx;
      if TLabel(C).Layout = tlCenter then
        Y := (R.Top + R.Bottom - Z.cy) div 2;
      Q := Rect(X, Y, Min(X + Z.cx, R.Right), Min(Y + Z.cy, R.Bottom + 4));
      if C.Tag = 7 then
        Put('link', Q, C, '')
      else
        Words(C, S, Q);
    end
    else if (C is TDateEdit) or (C is TFileNameEdit) then
    begin
      E := TCustomEditButton(C);
      for J := 0 to E.ControlCount - 1 do
      begin
        A := E.ClientToScreen(Point(E.Controls[J].Left, E.Controls[J].Top));
        Q := Rect(A.X, A.Y, A.X + E.Controls[J].Width, A.Y + E.Controls[J].Height);
        if E.Controls[J] is TCustomSpeedButton then
          Put('icon', Q, C, '')
        else
          Put('textbox', Q, C, '');
      end;
    end
    else if (C is TCustomEdit) then
      Put('textbox', R, C, Lit(C))
    else if C is TComboBox then
      Put('combobox', R, C, Lit(C))
    else if (C is TCustomCheckBox) and not (C is TToggleBox) then
    begin
      if C is TRadioButton then
        Put('radio', R, C, 'c' + IntToStr(Ord(TRadioButton(C).Checked)) + #9 + IntToStr(Z.cx) + #9 + IntToStr(Z.cy))
      else
        Put('checkbox', R, C, 'c' + IntToStr(Ord(TCheckBox(C).State = cbChecked)) + #9 + IntToStr(Z.cx) + #9 + IntToStr(Z.cy));
    end
    else if (C is TCustomSpeedButton) or (C is TCustomButton) then
    begin
      if S = '' then
        Put('icon', R, C, '')
      else
        Put('button', R, C, '');
    end
    else if C is TStringGrid then
      Grid(TStringGrid(C))
    else if C is TTreeView then
      Tree(TTreeView(C))
    else if C is TCustomListBox then
      for J := 0 to TCustomListBox(C).Items.Count - 1 do
      begin
        Q := OnScreen(C, TCustomListBox(C).ItemRect(J));
        if Q.Bottom > Q.Top then
        begin
          if C is TCheckListBox then
            Q.Right := OnScreen(C, Rect(0, 0, C.ClientWidth, 0)).Right;
          Put('listitem', Q, C, '');
          if C is TCheckListBox then
            Put('checkbox', Rect(Q.Left, Q.Top, Q.Left + 24, Q.Bottom), C, 'l' + IntToStr(Ord(TCheckListBox(C).Checked[J])));
        end;
      end
    else if C is TPageControl then
    begin
      for J := 0 to TPageControl(C).PageCount - 1 do
      begin
        Q := TPageControl(C).TabRect(J);
        A := C.ClientToScreen(Point(0, 0)); { the tabs lie outside the client area; the rectangle is that of the words }
        Put('tab', Rect(A.X + Q.Left - 4, A.Y + Q.Top - 4, A.X + Q.Right + 4, A.Y + Q.Bottom + 4), C, '');
      end;
      if TPageControl(C).ActivePage <> nil then
        Walk(TPageControl(C).ActivePage);
    end
    else if C is TTrackBar then
      Put('slider', R, C, '')
    else if C is TToolBar then
    begin
      for J := 0 to TToolBar(C).ButtonCount - 1 do
        with TToolBar(C).Buttons[J] do
          if not (Style in [tbsSeparator, tbsDivider]) then
          begin
            A := C.ClientToScreen(Point(Left, Top));
            if TToolBar(C).ShowCaptions then
              Put('button', Rect(A.X, A.Y, A.X + Width, A.Y + Height), TToolBar(C).Buttons[J], '')
            else
              Put('icon', Rect(A.X, A.Y, A.X + Width, A.Y + Height), TToolBar(C).Buttons[J], '');
          end;
    end
    else if C is TStatusBar then
    begin
      X := R.Left;
      for J := 0 to TStatusBar(C).Panels.Count - 1 do
      begin
        S := TStatusBar(C).Panels[J].Text;
        Z := Form.Canvas.TextExtent(S);
        Q := Rect(X + 3, (R.Top + R.Bottom - Z.cy) div 2, 0, 0);
        Q.Right := Min(Q.Left + Z.cx, X + TStatusBar(C).Panels[J].Width - 2);
        Q.Bottom := Q.Top + Z.cy;
        Words(C, S, Q);
        X := X + TStatusBar(C).Panels[J].Width;
      end;
    end
    else if (C is TCustomGroupBox) then
    begin
      Q := Rect(R.Left + 4, R.Top, R.Left + 6 + Z.cx, R.Top + Z.cy);
      Words(C, S, Q);
      Walk(TWinControl(C));
    end
    else if C is TImage then
      Put('image', R, C, '')
    else if C is TWinControl then
      Walk(TWinControl(C));
  end;
end;

procedure TShow.Timer(Sender: TObject);
var
  I: integer;
  A: TPoint;
  W: PGtkWidget;
begin
  Inc(Tick);
  if Tick = 3 then
  begin
    Truth := TStringList.Create;
    Walk(Form);
    A := Form.ClientToScreen(Point(0, 0));
    if Form.Menu <> nil then
      for I := 0 to Form.Menu.Items.Count - 1 do
      begin
        W := {%H-}PGtkWidget(Form.Menu.Items[I].Handle);
        Truth.Add(Format('E'#9'menuitem'#9'%d'#9'%d'#9'%d'#9'%d'#9'0'#9'%d'#9'm', [W^.allocation.x, W^.allocation.y, W^.allocation.x + W^.allocation.width, W^.allocation.y + W^.allocation.height, Ord(Form.Menu.Items[I].Enabled)]));
      end;
    Truth.SaveToFile(ParamStr(2) + '.part');
    RenameFile(ParamStr(2) + '.part', ParamStr(2));
  end;
end;

var
  T: TTimer;
begin
  Application.Initialize;
  Show := TShow.Create;
  Show.Load(ParamStr(1));
  T := TTimer.Create(nil);
  T.Interval := 120;
  T.OnTimer := @Show.Timer;
  Show.Form.Show;
  T.Enabled := True;
  while True do
    Application.HandleMessage;
end.
