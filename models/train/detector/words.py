"""Made-up words for the screens: names, labels, values, English and Chinese. Nothing here comes from a real program."""

EN = dict(
    label="""Name|First name|Last name|Company|Customer|Supplier|Order no.|Invoice date|Due date|Quantity|Unit price|Discount|Total|Tax rate|Phone|E-mail|Address|City|Postcode|Country|Remarks|Warehouse|Batch|Serial no.|Weight|Height|Width|Currency|Department|Manager|Salary|Start|End|Time zone|Language|Theme|Folder|File name|Server|Port|User name|Password|Confirm password|Domain|Proxy|Timeout (s)|Retries|Scale|Font size|Margin|Orientation|Paper size|Copies|Printer|Quality|Volume|Brightness|Contrast|Speed|Zoom|Category|Status|Priority|Assigned to|Project|Milestone|Patient|Ward|Doctor|Dose|Blood group|Room|Guests|Nights|Flight|Seat|Gate|Vehicle|Plate|Mileage|Fuel|Title|Author|Publisher|Pages|Year|Subject|Grade|Class|Teacher|Account|Balance|Rate|Term|Iban|Cost centre|Reference|Contract|Item|Description|Location|Shelf|Reorder level|Opening stock|Comment|Search|Filter by|Sort by|Group|Format|Encoding|Separator|Template|Signature|Notes|Website|Birthday|Nationality|Occupation|Interest|Frequency|Duration|Threshold|Limit|Offset|Step|Mode|Profile|Backup path|Interval|Channel|Baud rate|Parity|Stop bits""".split('|'),
    tick="""Remember me|Send newsletter|Urgent|Tax included|Show hidden files|Enable logging|Start with system|Auto save|Read only|Confirm before deleting|Use proxy|Print header|Bold|Italic|Underline|Word wrap|Match case|Whole words|Regular expression|Dark mode|Notifications|Sound|Vibrate|Sync contacts|Allow cookies|I accept the terms|Subscribe|Active|Archived|Paid|Shipped|Same as billing address|Show grid|Snap to grid|Include subfolders|Overwrite|Keep backup|Compress|Encrypt|Check spelling|Show toolbar|Show status bar|Full screen|Loop|Mute|Shuffle|Partial delivery|Export order|Gift wrap|Insured""".split('|'),
    radio="""Yes|No|Cash|Card|Bank transfer|Daily|Weekly|Monthly|Never|Small|Medium|Large|Portrait|Landscape|Left|Centre|Right|Male|Female|Other|All pages|Current page|Selection|Ascending|Descending|Fast|Normal|Best|Prepaid|Collect|Light|Dark|System|Public|Private|Automatic|Manual|Km|Miles|12 hours|24 hours""".split('|'),
    button="""OK|Cancel|Save|Close|Apply|Delete|Add|Edit|New|Open|Print|Search|Reset|Submit|Back|Next|Finish|Help|Browse...|Refresh|Export|Import|Send|Reply|Forward|Copy|Paste|Undo|Yes|No|Retry|Ignore|Log in|Sign up|Add line|Remove|Save as...|Connect|Disconnect|Start|Stop|Pause|Approve|Reject|Post|Preview|Upload|Download|Details|More|Options...|Update|Install|Continue|Done|Create order|New customer|Find|Replace|Select all|Clear|Calculate|Pay now|Checkout|Book|Check in|Assign|Test connection|Choose file|Load|Restore defaults""".split('|'),
    nav="""Home|Dashboard|Orders|Customers|Products|Reports|Settings|Account|Billing|Team|Messages|Calendar|Files|Projects|Tasks|Analytics|Inventory|Suppliers|Invoices|Payments|Users|Roles|Logs|Support|Help|About|Contact|Pricing|Blog|Docs|Privacy|Security|Appearance|Network|Storage|Devices|Updates|Accessibility|Display|Sound|Keyboard|Printers|Language|Inbox|Sent|Drafts|Archive|Spam|Trash|Starred|Overview|Activity|Members|Integrations""".split('|'),
    menu="""File|Edit|View|Insert|Format|Tools|Window|Help|Records|Reports|Data|Project|Build|Run|Search|Options|Image|Layer|Select|Filter|Table|Bookmarks|History|Stock|Sales|Purchases|System|Master data""".split('|'),
    item="""New|Open...|Open recent|Save|Save as...|Save all|Print...|Page setup|Export as PDF|Close|Quit|Undo|Redo|Cut|Copy|Paste|Delete|Select all|Find...|Replace...|Go to line|Zoom in|Zoom out|Full screen|Toolbars|Status bar|Preferences|Properties|Rename|Duplicate|Move to|Share|Refresh|Sort by|Group by|Add row|Insert column|Options...|About|Check for updates|Documentation|Send to|Create shortcut|View source|Inspect|Add to favourites|Mark as read|Block sender""".split('|'),
    head="""Customer details|Order entry|Purchase order|Invoice|Settings|Preferences|New message|Sign in|Shipping|Payment|Stock list|Staff|Monthly report|Print|Find and replace|Options|Connection|General|Advanced|Notifications|Appointments|Patient record|Room booking|Timesheet|Voucher|Journal entry|Backup|Scanner|Library|Music player|Photo viewer|File manager|Task list|Control panel|Setup wizard|Welcome back|Recent activity|Quick actions|Delivery|Summary|Profile|Access rights|Import data|Maintenance|Calculator""".split('|'),
    noun="""Baltic Rope and Wire|Steel bolt M8|Copper pipe 15 mm|Oak board|Green tea 250 g|Notebook A5|LED lamp|Office chair|Desk fan|Harbour Foods|North Star Ltd|Maple & Sons|Silver Lake Inc|Ana Duarte|John Miller|Mary Chen|Omar Haddad|Ines Rossi|Peter Novak|Lena Fischer|Paris|Lisbon|Osaka|Berlin|Madrid|Cairo|Standard|Express|Draft|Open|Closed|Pending|Paid|Overdue|Shipped|Cancelled|Low|High|Medium|Blue|Black|White|Red|Retail|Wholesale|Export|Cash|Visa|kg|pcs|box|EUR|USD|budget.xlsx|report_final.docx|photo 12.jpg|readme.txt|backup.zip|notes.md|Quarterly plan|Team meeting|Project kickoff|Weekly digest|Server maintenance""".split('|'),
    sent="""The file has been changed. Do you want to save it?|Are you sure you want to delete this record?|The connection to the server was lost.|Fill in all the fields marked with a star.|Your session will end in five minutes.|This action cannot be undone.|12 records were imported, 3 were skipped.|Please choose where the backup is to be kept.|We sent a code to your phone.|Changes take effect after a restart.|The printer is out of paper.|Nothing was found for this filter.|Last updated a few minutes ago|Select the items that you want to move.|All amounts include tax unless said otherwise.|Drag files here or choose them from the disk.|Signed in as administrator""".split('|'),
    day='Mon|Tue|Wed|Thu|Fri|Sat|Sun'.split('|'),
    ph='Search...|Search|Type here|Enter name|Optional|name@example.com|DD/MM/YYYY|Filter...|Password|Your message|0.00|Choose a date|Find a product'.split('|'),
)
ZH = dict(
    label="""姓名|客户名称|供应商|单据编号|开票日期|交货日期|数量|单价|折扣|合计|税率|电话|邮箱|地址|城市|邮编|国家|备注|仓库|批次|序列号|重量|高度|币种|部门|经办人|负责人|工资|开始时间|结束时间|语言|主题|文件夹|文件名|服务器|端口|用户名|密码|确认密码|域名|超时(秒)|字号|页边距|方向|纸张大小|份数|打印机|质量|音量|亮度|速度|分类|状态|优先级|项目|患者姓名|病区|医生|剂量|血型|床号|房间|人数|航班|座位|车牌号|里程|标题|作者|出版社|页数|年份|科目|年级|班级|账户|余额|利率|期限|凭证字号|摘要|借方金额|贷方金额|合同编号|规格型号|库位|安全库存|期初数量|搜索|筛选|排序|格式|编码|模板|签名|网址|生日|国籍|职业|频率|时长|上限|模式|备份路径|间隔|通道|波特率|结算方式|制单人|审核人|快递公司|发票类型|付款账号|出库类型|会员卡号|身份证号""".split('|'),
    tick="""记住密码|自动登录|加急|含税|开票|显示隐藏文件|启用日志|开机启动|自动保存|只读|删除前确认|使用代理|打印表头|粗体|斜体|自动换行|区分大小写|全字匹配|深色模式|消息通知|声音|振动|同步通讯录|我已阅读并同意|启用|已归档|已付款|已发货|显示网格|包含子目录|覆盖|保留备份|压缩|加密|拼写检查|显示工具栏|全屏|静音|允许部分发货|保价|含运费|是否停用""".split('|'),
    radio="""是|否|现金支付|转账|月结|每天|每周|每月|从不|小|中|大|纵向|横向|左|居中|右|男|女|其他|全部|当前页|选定范围|升序|降序|快速|标准|最佳|浅色|深色|跟随系统|公开|私密|自动|手动|预付|到付|零售|批发""".split('|'),
    button="""确定|取消|保存|关闭|应用|删除|新增|修改|新建|打开|打印|查询|重置|提交|返回|上一步|下一步|完成|帮助|浏览...|刷新|导出|导入|发送|回复|转发|复制|粘贴|撤销|是|否|重试|忽略|登录|注册|增行|删行|另存为...|连接|断开|开始|停止|暂停|审核|反审核|驳回|过账|预览|上传|下载|详情|更多|选项...|更新|安装|继续|新建订单|新增客户|查找|替换|全选|清空|计算|立即支付|去结算|预约|指派|测试连接|选择文件|恢复默认|退出""".split('|'),
    nav="""首页|工作台|订单管理|客户管理|商品管理|报表中心|系统设置|账户|账单|团队|消息|日历|文件|项目|任务|数据分析|库存管理|供应商|发票|付款|用户管理|角色权限|操作日志|帮助中心|关于我们|联系我们|价格|隐私|安全|外观|网络|存储|设备|更新|显示|声音|键盘|打印机|语言|收件箱|已发送|草稿箱|归档|垃圾邮件|回收站|概览|动态|成员""".split('|'),
    menu="""文件|编辑|查看|插入|格式|工具|窗口|帮助|基础资料|采购|销售|库存|财务|报表|系统|数据|项目|运行|选项|图像|图层|选择|书签|历史|文件(F)|编辑(E)|视图(V)|帮助(H)""".split('|'),
    item="""新建|打开...|最近打开|保存|另存为...|全部保存|打印...|页面设置|导出为 PDF|关闭|退出|撤销|重做|剪切|复制|粘贴|删除|全选|查找...|替换...|转到行|放大|缩小|全屏|工具栏|状态栏|首选项|属性|重命名|移动到|分享|刷新|排序方式|分组|添加行|插入列|关于|检查更新|文档|发送到|创建快捷方式|查看源代码|收藏|标记为已读""".split('|'),
    head="""客户资料|销售订单|采购订单|增值税发票|系统设置|首选项|新邮件|用户登录|收货信息|支付方式|库存列表|员工档案|月度报表|打印|查找和替换|选项|连接|常规|高级|通知|预约挂号|病历|房间预订|考勤表|记账凭证|数据备份|扫描|图书馆|音乐播放器|文件管理|任务列表|控制面板|安装向导|欢迎回来|最近动态|快捷操作|配送|汇总|个人资料|权限|数据导入|维护|计算器|出库单|入库单|盘点单""".split('|'),
    noun="""北京华远贸易有限公司|上海新星科技|广州海天食品|不锈钢螺栓 M8|铜管 15mm|橡木板|绿茶 250克|笔记本 A5|节能灯|办公椅|张三|李四|王小明|陈美玲|赵国强|刘洋|北京|上海|深圳|杭州|成都|武汉|标准|加急|草稿|未审核|已审核|待处理|已付款|逾期|已发货|已取消|低|高|中|蓝色|黑色|白色|零售|批发|出口|现金|公斤|件|箱|人民币|美元|预算表.xlsx|报告终稿.docx|照片12.jpg|说明.txt|备份.zip|季度计划|周例会|项目启动|服务器维护|主仓库|二号仓|内科|外科|增值税专用发票""".split('|'),
    sent="""文件已被修改，是否保存？|确定要删除这条记录吗？|与服务器的连接已断开。|请填写带星号的全部字段。|您的登录将在五分钟后过期。|此操作无法撤销。|已导入12条记录，跳过3条。|请选择备份存放的位置。|验证码已发送到您的手机。|更改将在重启后生效。|打印机缺纸。|没有找到符合条件的数据。|最后更新于几分钟前|请选择要移动的项目。|所有金额均含税。|将文件拖到此处或点击选择。|当前用户：管理员""".split('|'),
    day='一|二|三|四|五|六|日'.split('|'),
    ph='搜索...|请输入|请选择|请输入姓名|选填|请输入手机号|请输入验证码|筛选|密码|留言|0.00|选择日期|搜索商品'.split('|'),
)


def words(lang):
    return ZH if lang == 'zh' else EN


def value(r, w):
    """Something that stands in a field or a cell."""
    k = r.random()
    if k < .34:
        return r.choice(w['noun'])
    if k < .46:
        return '%d' % r.choice([r.randint(0, 9), r.randint(10, 999), r.randint(1000, 99999)])
    if k < .6:
        return '{:,.2f}'.format(r.uniform(0, 10 ** r.randint(1, 5)))
    if k < .7:
        return r.choice(['2026-%02d-%02d', '%02d/%02d/2026', '%d.%d.26']) % (r.randint(1, 12), r.randint(1, 28))
    if k < .8:
        return r.choice(['SO-', 'INV/', 'A', 'PO2026', 'K-']) + '%05d' % r.randint(1, 99999)
    if k < .85:
        return '%02d:%02d' % (r.randint(0, 23), r.randint(0, 59))
    if k < .9:
        return r.choice(['+49 30 ', '138', '(02) 93 ', '555-']) + '%06d' % r.randint(0, 999999)
    if k < .95:
        return r.choice(['ana', 'info', 'lee', 'sales']) + '@' + r.choice(['example.com', 'harbour.example', 'mail.example'])
    return r.choice(['C:\\data\\orders', '/home/ana/docs', 'D:\\backup', 'https://intranet.example/a', '100%', 'N/A', '-', '192.168.1.20'])
