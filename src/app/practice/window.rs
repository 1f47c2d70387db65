//! Ties the form and the order book to the window toolkit: widgets, mouse, keyboard.
//!
//! The toolkit moves the keyboard between text fields only. An old program is worked through with Tab, arrows and the
//! space bar, so this file keeps its own place of the keyboard, which can also be the pick list or the check box.

use iced::keyboard::{self, Key, key};
use iced::widget::{
    Id, button, checkbox, column, container, mouse_area, operation, pick_list, row, scrollable, space, text, text_input,
};
use iced::{Element, Event, Fill, Font, Length, Pixels, Point, Size, Task, Theme, event, mouse, theme};

use crate::quiet::quietly;

use super::book::{OrderBook, OrderLog};
use super::form::{self, Button, Field, Form, LabelPlace};
use super::look::{Marked, Palette};
use super::{FONT, FONT_NAME, PracticeError, WINDOW_CLASS};

/// The window's icon, 256 x 256 pixels.
const ICON: &[u8] = include_bytes!("../../../assets/icon.png");

/// Text size of the record list, whatever the seed: eight columns have to fit.
const LIST_TEXT: f32 = 13.0;

/// Shows the window and returns when it was closed.
///
/// # Errors
/// [`PracticeError::Window`] with the window system's reason.
pub fn open(form: Form, log: Option<OrderLog>) -> Result<(), PracticeError> {
    let settings = iced::Settings {
        id: Some(WINDOW_CLASS.to_owned()),
        fonts: vec![FONT.into()],
        default_font: Font::with_name(FONT_NAME),
        default_text_size: Pixels(form.text_size as f32),
        ..iced::Settings::default()
    };
    let size = Size::new(form.size.0 as f32, form.size.1 as f32);
    let window = iced::window::Settings {
        size,
        min_size: Some(size),
        position: iced::window::Position::Specific(Point::new(form.place.0 as f32, form.place.1 as f32)),
        icon: icon(),
        #[cfg(target_os = "linux")]
        platform_specific: iced::window::settings::PlatformSpecific {
            application_id: WINDOW_CLASS.to_owned(),
            ..Default::default()
        },
        ..iced::window::Settings::default()
    };
    let title = form.title();
    let first = form.fields.first().map(|(field, _)| *field);
    let boot = move || (State::new(form.clone(), log.clone()), first.map_or_else(Task::none, focus));
    let application = iced::application(boot, State::update, State::view)
        .title(move |_: &State| title.to_owned())
        .theme(Theme::Light)
        .style(|state: &State, _| theme::Style {
            background_color: state.palette.window,
            text_color: state.palette.text,
        })
        .subscription(|_: &State| event::listen_with(listen))
        .settings(settings)
        .window(window);
    // The toolkit panics where a library of the window system is missing; that becomes a sentence.
    match quietly(move || application.run()) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(PracticeError::Window(error.to_string())),
        Err(panic) => Err(PracticeError::Window(panic)),
    }
}

fn icon() -> Option<iced::window::Icon> {
    let picture = image::load_from_memory(ICON).ok()?.into_rgba8();
    let (width, height) = picture.dimensions();
    iced::window::icon::from_rgba(picture.into_raw(), width, height).ok()
}

#[derive(Debug, Clone)]
enum Message {
    Typed(Field, String),
    PaymentChosen(&'static str),
    UrgentToggled(bool),
    RowClicked(usize),
    Pressed(Button),
    /// The mouse was pressed somewhere, which may have moved the keyboard.
    Clicked,
    /// The text field that has the keyboard after a click.
    KeyboardIn(Option<Field>),
    Tab(Direction),
    Arrow(Direction),
    Space,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Back,
}

/// What the program itself wants to know of all that happens to the window.
fn listen(event: Event, status: event::Status, _window: iced::window::Id) -> Option<Message> {
    match event {
        Event::Mouse(mouse::Event::ButtonPressed(mouse::Button::Left)) => Some(Message::Clicked),
        Event::Keyboard(keyboard::Event::KeyPressed { key: Key::Named(named), modifiers, .. })
            if status == event::Status::Ignored && !modifiers.command() && !modifiers.alt() =>
        {
            match named {
                key::Named::Tab if modifiers.shift() => Some(Message::Tab(Direction::Back)),
                key::Named::Tab => Some(Message::Tab(Direction::Forward)),
                key::Named::ArrowDown => Some(Message::Arrow(Direction::Forward)),
                key::Named::ArrowUp => Some(Message::Arrow(Direction::Back)),
                key::Named::Space => Some(Message::Space),
                _ => None,
            }
        }
        _ => None,
    }
}

fn input_id(field: Field) -> Id {
    match field {
        Field::OrderNo => Id::new("order_no"),
        Field::Customer => Id::new("customer"),
        Field::ProductCode => Id::new("product_code"),
        Field::Quantity => Id::new("quantity"),
        Field::UnitPrice => Id::new("unit_price"),
        Field::Remark => Id::new("remark"),
        Field::Payment => Id::new("payment"),
        Field::Urgent => Id::new("urgent"),
    }
}

/// Gives the keyboard to a text field. For the two other fields it takes the keyboard from every text field.
fn focus(field: Field) -> Task<Message> {
    Task::batch([operation::focus(input_id(field)), operation::select_all(input_id(field))])
}

struct State {
    book: OrderBook,
    palette: Palette,
    keyboard: Option<Field>,
}

impl State {
    fn new(form: Form, log: Option<OrderLog>) -> Self {
        let palette = form.colours.into();
        let keyboard = form.fields.first().map(|(field, _)| *field);
        Self { book: OrderBook::new(form, log), palette, keyboard }
    }

    fn update(&mut self, message: Message) -> Task<Message> {
        match message {
            Message::Typed(field, typed) => {
                if let Some(text) = self.book.draft.text_mut(field) {
                    *text = typed;
                }
                Task::none()
            }
            Message::PaymentChosen(choice) => {
                self.book.draft.payment = Some(choice);
                Task::none()
            }
            Message::UrgentToggled(on) => {
                self.book.draft.urgent = on;
                Task::none()
            }
            Message::RowClicked(row) => {
                self.book.selected = Some(row);
                Task::none()
            }
            Message::Pressed(Button::New) => {
                self.book.start_new();
                self.begin_at_first_field()
            }
            Message::Pressed(Button::Save) => match self.book.save() {
                true => self.begin_at_first_field(),
                false => Task::none(),
            },
            Message::Pressed(Button::Delete) => {
                self.book.delete();
                Task::none()
            }
            Message::Pressed(Button::Close) => iced::exit(),
            Message::Clicked => {
                self.keyboard = None;
                let asks =
                    Field::ALL.map(|field| operation::is_focused(input_id(field)).map(move |yes| yes.then_some(field)));
                Task::batch(asks).collect().map(|answers| Message::KeyboardIn(answers.into_iter().flatten().next()))
            }
            Message::KeyboardIn(field) => {
                self.keyboard = field;
                Task::none()
            }
            Message::Tab(direction) => self.tab(direction),
            Message::Arrow(direction) => {
                if self.keyboard == Some(Field::Payment) {
                    self.next_payment(direction);
                }
                Task::none()
            }
            Message::Space => {
                if self.keyboard == Some(Field::Urgent) {
                    self.book.draft.urgent = !self.book.draft.urgent;
                }
                Task::none()
            }
        }
    }

    fn begin_at_first_field(&mut self) -> Task<Message> {
        self.keyboard = self.book.form().fields.first().map(|(field, _)| *field);
        self.keyboard.map_or_else(Task::none, focus)
    }

    fn tab(&mut self, direction: Direction) -> Task<Message> {
        let fields = &self.book.form().fields;
        let now = fields.iter().position(|(field, _)| Some(*field) == self.keyboard);
        let next = match (now, direction) {
            (Some(now), Direction::Forward) => (now + 1) % fields.len(),
            (Some(now), Direction::Back) => (now + fields.len() - 1) % fields.len(),
            (None, Direction::Forward) => 0,
            (None, Direction::Back) => fields.len() - 1,
        };
        self.keyboard = fields.get(next).map(|(field, _)| *field);
        self.keyboard.map_or_else(Task::none, focus)
    }

    fn next_payment(&mut self, direction: Direction) {
        let choices = form::payments(self.book.form().lang);
        let now = choices.iter().position(|choice| Some(*choice) == self.book.draft.payment);
        let next = match (now, direction) {
            (Some(now), Direction::Forward) => (now + 1).min(choices.len() - 1),
            (Some(now), Direction::Back) => now.saturating_sub(1),
            (None, Direction::Forward) => 0,
            (None, Direction::Back) => choices.len() - 1,
        };
        self.book.draft.payment = choices.get(next).copied();
    }

    fn view(&self) -> Element<'_, Message> {
        let form = self.book.form();
        let fields = row(form
            .by_column()
            .map(|fields| column(fields.iter().map(|(field, _)| self.labelled(*field))).spacing(8).width(Fill).into()))
        .spacing(24);
        let buttons = row(form.buttons.iter().map(|button| self.push_button(*button))).spacing(8);
        let parts = if form.buttons_on_top { [buttons.into(), fields.into()] } else { [fields.into(), buttons.into()] };
        let above: Element<'_, Message> = column(parts).spacing(12).into();
        column![container(column![above, self.list()].spacing(12)).padding(12).height(Fill), self.status_line(),].into()
    }

    /// A field with its label where the seed wants it.
    fn labelled(&self, field: Field) -> Element<'_, Message> {
        let form = self.book.form();
        let label_width = form.label_width() as f32;
        match (form.label_place, field) {
            (LabelPlace::Left, Field::Urgent) => {
                row![space().width(label_width), self.control(field)].align_y(iced::Center).into()
            }
            (LabelPlace::Left, _) => {
                let label = text(form.label_with_colon(field)).width(label_width);
                row![label, self.control(field)].align_y(iced::Center).into()
            }
            (LabelPlace::Above, Field::Urgent) => {
                column![space().height(form.line_height() as f32), self.control(field)].spacing(2).into()
            }
            (LabelPlace::Above, _) => {
                let label = text(form.label_with_colon(field)).line_height(Pixels(form.line_height() as f32));
                column![label, self.control(field)].spacing(2).into()
            }
        }
    }

    fn control(&self, field: Field) -> Element<'_, Message> {
        let form = self.book.form();
        let draft = &self.book.draft;
        let line = Pixels(form.line_height() as f32);
        let marked = if self.keyboard == Some(field) { Marked::Yes } else { Marked::No };
        match field {
            Field::Payment => pick_list(form::payments(form.lang), draft.payment, Message::PaymentChosen)
                .placeholder(form::payment_placeholder(form.lang))
                .width(Fill)
                .padding([4, 6])
                .text_line_height(line)
                .style(self.palette.list_box(marked))
                .menu_style(self.palette.list_menu())
                .into(),
            Field::Urgent => {
                let box_ = checkbox(draft.urgent)
                    .label(form.label(field))
                    .on_toggle(Message::UrgentToggled)
                    .size(16)
                    .style(self.palette.check(marked));
                container(box_).center_y(form.field_height() as f32).into()
            }
            Field::OrderNo
            | Field::Customer
            | Field::ProductCode
            | Field::Quantity
            | Field::UnitPrice
            | Field::Remark => text_input("", draft.text(field).unwrap_or_default())
                .id(input_id(field))
                .on_input(move |typed| Message::Typed(field, typed))
                .padding([4, 6])
                .line_height(line)
                .style(self.palette.input())
                .into(),
        }
    }

    fn push_button(&self, which: Button) -> Element<'_, Message> {
        let form = self.book.form();
        button(text(which.caption(form.lang)).line_height(Pixels(form.line_height() as f32)).width(Fill).center())
            .width(88)
            .padding([4, 8])
            .style(self.palette.push_button())
            .on_press(Message::Pressed(which))
            .into()
    }

    /// The saved records under a header.
    fn list(&self) -> Element<'_, Message> {
        let form = self.book.form();
        let palette = self.palette;
        let plain = Form::new(form.lang, 0);
        let header = self.cells(plain.fields.iter().map(|(_, label)| (*label).to_owned()));
        let header = container(header).style(palette.filled(palette.header, palette.text));
        let rows = self.book.orders().iter().enumerate().map(|(index, order)| {
            let cells = self.cells([
                order.order_no.clone(),
                order.customer.clone(),
                order.product_code.clone(),
                order.quantity.clone(),
                order.unit_price.clone(),
                order.payment.clone(),
                form::yes_no(form.lang, order.urgent).to_owned(),
                order.remark.clone(),
            ]);
            let style = if self.book.selected == Some(index) {
                palette.filled(palette.accent, palette.accent_text)
            } else {
                palette.filled(palette.field, palette.text)
            };
            let rule = container(space().width(Fill).height(1)).style(palette.filled(palette.line, palette.text));
            mouse_area(column![container(cells).style(style), rule]).on_press(Message::RowClicked(index)).into()
        });
        let rows = scrollable(column(rows)).width(Fill).height(Fill);
        container(column![header, rows]).padding(1).height(Fill).style(palette.frame(palette.field)).into()
    }

    /// One row of the list, header or record.
    fn cells(&self, texts: impl IntoIterator<Item = String>) -> Element<'static, Message> {
        const SHARES: [u16; 8] = [15, 15, 14, 10, 11, 10, 8, 14];
        row(texts.into_iter().zip(SHARES).map(|(content, share)| {
            let content = text(content).size(LIST_TEXT).wrapping(text::Wrapping::None);
            container(content).padding([3, 4]).width(Length::FillPortion(share)).clip(true).into()
        }))
        .into()
    }

    fn status_line(&self) -> Element<'_, Message> {
        let palette = self.palette;
        let color = match &self.book.notice {
            super::Notice::Done(_) => palette.text,
            super::Notice::Error(_) => palette.error,
        };
        container(text(self.book.notice.text()).color(color))
            .padding([4, 12])
            .width(Fill)
            .style(palette.frame(palette.window))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::practice::Lang;

    #[test]
    fn the_icon_is_a_picture_of_256_pixels() -> Result<(), image::ImageError> {
        let picture = image::load_from_memory(ICON)?;
        assert_eq!((picture.width(), picture.height()), (256, 256));
        Ok(())
    }

    #[test]
    fn tab_goes_through_every_field_in_the_order_of_the_form() {
        for seed in 0..5 {
            let form = Form::new(Lang::En, seed);
            let order: Vec<_> = form.fields.iter().map(|(field, _)| *field).collect();
            let mut state = State::new(form, None);
            let mut seen = vec![];
            for _ in 0..order.len() {
                seen.extend(state.keyboard);
                let _task = state.update(Message::Tab(Direction::Forward));
            }
            assert_eq!(seen, order);
            assert_eq!(state.keyboard, order.first().copied());
            let _task = state.update(Message::Tab(Direction::Back));
            assert_eq!(state.keyboard, order.last().copied());
        }
    }

    #[test]
    fn arrows_choose_the_payment_and_space_checks_the_box_only_when_the_keyboard_is_there() {
        let mut state = State::new(Form::new(Lang::Zh, 0), None);
        for message in [Message::Arrow(Direction::Forward), Message::Space] {
            let _task = state.update(message);
        }
        assert_eq!((state.book.draft.payment, state.book.draft.urgent), (None, false));
        state.keyboard = Some(Field::Payment);
        let mut chosen = vec![];
        for direction in
            [Direction::Forward, Direction::Forward, Direction::Forward, Direction::Forward, Direction::Back]
        {
            let _task = state.update(Message::Arrow(direction));
            chosen.extend(state.book.draft.payment);
        }
        assert_eq!(chosen, ["现金", "月结", "预付", "预付", "月结"]);
        state.keyboard = Some(Field::Urgent);
        let _task = state.update(Message::Space);
        assert!(state.book.draft.urgent);
    }

    #[test]
    fn a_panic_of_the_toolkit_becomes_a_sentence() {
        let broken: Result<(), _> = quietly(|| panic!("Create event loop: {}", "libX11.so.6 is missing"));
        assert_eq!(broken, Err("Create event loop: libX11.so.6 is missing".to_owned()));
        assert_eq!(quietly(|| 7), Ok(7));
    }
}
