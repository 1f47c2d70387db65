//! What a command line can do, by its parsed arguments. The lists are data (`assets/policy/commands.toml`).
//!
//! Every command asks at least: a program that nobody has listed can do anything. The list only makes it worse.

use std::sync::LazyLock;

use serde::Deserialize;

use super::risk::Risk;
use super::script::{self, Dialect, is_setting};

const TEXT: &str = include_str!("../../assets/policy/commands.toml");
/// A longer command line cannot be read by the person who is asked.
const LONGEST: usize = 4000;
/// Commands in commands are followed so deep.
const DEEPEST: u8 = 6;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    wrapper: Vec<Wrapper>,
    shell: Vec<Shell>,
    interpreter: Vec<Interpreter>,
    danger: Vec<Danger>,
}

/// A program that runs the command in its arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrapper {
    programs: Vec<String>,
    #[serde(default)]
    skip: usize,
    #[serde(default)]
    switches: Vec<String>,
    #[serde(default)]
    after: Vec<String>,
    #[serde(default)]
    anywhere: bool,
    #[serde(default)]
    tree: bool,
    #[serde(default)]
    feeds: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shell {
    programs: Vec<String>,
    dialect: Dialect,
    /// Flags whose argument is the script.
    run: Vec<String>,
    /// Flags whose argument is a file with the script.
    #[serde(default)]
    file: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Interpreter {
    programs: Vec<String>,
    /// Flags whose argument is the program text.
    code: Vec<String>,
}

/// One kind of harm; all conditions that are given must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Danger {
    programs: Vec<String>,
    class: Risk,
    why: String,
    /// Any of these flags.
    flags: Option<Vec<String>>,
    /// Any of these sequences begins the arguments that are no flags.
    words: Option<Vec<Vec<String>>>,
    /// Any argument begins so.
    starts: Option<Vec<String>>,
    /// Another command is its input.
    #[serde(default)]
    fed: bool,
}

// The text is embedded and a test parses it. Were it ever unreadable, the flag below makes every command refused.
static LISTS: LazyLock<Option<Lists>> = LazyLock::new(|| toml::from_str(TEXT).ok());

/// A command line as policy sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Never below [`Risk::Irreversible`].
    pub class: Risk,
    /// Every program that may run, by its base name in lower case; wrappers such as `sudo` too.
    pub programs: Vec<String>,
    /// What makes it worse than any other command.
    pub why: Option<String>,
}

/// Looks at a command line.
pub fn look_at(argv: &[String]) -> Command {
    let mut command = Command { class: Risk::Irreversible, programs: Vec::new(), why: None };
    let Some(lists) = LISTS.as_ref() else {
        command.raise(Risk::System, "cannot be judged: the list of programs is unreadable");
        return command;
    };
    if argv.iter().map(|part| part.chars().count() + 1).sum::<usize>() > LONGEST {
        command.raise(Risk::System, "is too long to be shown in full");
        return command;
    }
    Look { lists, command: &mut command }.run(argv, Around { fed: false, tree: false, depth: 0 });
    command
}

impl Command {
    fn raise(&mut self, class: Risk, why: &str) {
        if class > self.class {
            self.class = class;
            self.why = Some(why.to_string());
        }
    }
}

/// What surrounds a command.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// Another command or a file is its input.
    fed: bool,
    /// It is run for every file of a folder.
    tree: bool,
    depth: u8,
}

struct Look<'l> {
    lists: &'l Lists,
    command: &'l mut Command,
}

impl Look<'_> {
    fn run(&mut self, argv: &[String], around: Around) {
        let Some((first, args)) = argv.split_first() else { return };
        if around.depth > DEEPEST {
            self.command.raise(Risk::System, "is nested too deeply to be read");
            return;
        }
        let program = base_name(first);
        let lists = self.lists;
        for danger in lists.danger.iter().filter(|danger| danger.fits(&program, args, around)) {
            let class = if around.tree && danger.class == Risk::Destructive { Risk::System } else { danger.class };
            self.command.raise(class, &danger.why);
        }
        for shell in lists.shell.iter().filter(|shell| named(&shell.programs, &program)) {
            self.shell(shell, args, around);
        }
        for interpreter in lists.interpreter.iter().filter(|known| named(&known.programs, &program)) {
            if args.iter().any(|arg| interpreter.code.iter().any(|flag| is_flag(flag, arg))) {
                self.command.raise(Risk::Destructive, "runs a program text that stands in an argument");
            } else if around.fed && reads_input(args) {
                self.command.raise(Risk::System, "runs whatever another command writes");
            }
        }
        for wrapper in lists.wrapper.iter().filter(|wrapper| named(&wrapper.programs, &program)) {
            self.wrapper(wrapper, args, around);
        }
        if !self.command.programs.contains(&program) {
            self.command.programs.push(program);
        }
    }

    fn shell(&mut self, shell: &Shell, args: &[String], around: Around) {
        let starts = |flags: &[String], arg: &String| flags.iter().any(|flag| is_flag(flag, arg));
        if shell.dialect == Dialect::Cmd {
            // Everything behind /c is the script, even what is glued to it; /c may be glued to other switches.
            let run = |arg: &String| {
                let lower = arg.to_ascii_lowercase();
                shell.run.iter().filter_map(|run| lower.find(run)).min().filter(|_| arg.starts_with('/'))
            };
            let found = args.iter().enumerate().find_map(|(index, arg)| run(arg).map(|at| (index, at + 2)));
            if let Some((index, at)) = found {
                let glued = args[index].get(at..).unwrap_or_default();
                let script = format!("{glued} {}", args[index + 1..].join(" "));
                self.script(&script, Dialect::Cmd, around);
                // The shell takes a pair of quotes around the whole script off.
                if let Some((inner, rest)) = script.trim().strip_prefix('"').and_then(|s| s.rsplit_once('"')) {
                    self.script(&format!("{inner} {rest}"), Dialect::Cmd, around);
                }
            } else if around.fed {
                self.fed_shell();
            }
            return;
        }
        let script = args.iter().position(|arg| starts(&shell.run, arg));
        match (script, shell.dialect) {
            (Some(at), Dialect::Posix) => {
                let text = args[at].split_once('=').map(|(_, text)| text.to_string());
                match text.or_else(|| args[at + 1..].iter().find(|arg| !arg.starts_with('-')).cloned()) {
                    Some(text) => self.script(&text, Dialect::Posix, around),
                    None => self.fed_shell(),
                }
            }
            (Some(at), _) if at + 1 >= args.len() || args[at + 1] == "-" => self.fed_shell(),
            (Some(at), dialect) => self.script(&args[at + 1..].join(" "), dialect, around),
            (None, Dialect::Powershell) if !args.iter().any(|arg| starts(&shell.file, arg)) => {
                // Without a flag the arguments are the script.
                let from = begins(args, 0, &[]);
                if from.is_empty() && around.fed {
                    self.fed_shell();
                }
                for at in from {
                    self.script(&args[at..].join(" "), Dialect::Powershell, around);
                }
            }
            (None, _) if around.fed && reads_input(args) => self.fed_shell(),
            (None, _) => {}
        }
    }

    fn fed_shell(&mut self) {
        self.command.raise(Risk::System, "runs whatever is piped into a shell");
    }

    fn script(&mut self, text: &str, dialect: Dialect, around: Around) {
        let script = script::read(text, dialect);
        if let Some(hidden) = script.hidden {
            self.command.raise(Risk::System, hidden);
        }
        if script.written.iter().any(|file| is_device(file)) {
            self.command.raise(Risk::System, "writes to a raw device");
        }
        for part in script.parts {
            let fed = part.fed || around.fed;
            self.run(&part.argv, Around { fed, depth: around.depth + 1, ..around });
        }
    }

    fn wrapper(&mut self, wrapper: &Wrapper, args: &[String], around: Around) {
        let inner =
            Around { fed: around.fed || wrapper.feeds, tree: around.tree || wrapper.tree, depth: around.depth + 1 };
        // A flag can hold a whole command: `env -S"..."`.
        for flag in args.iter().take_while(|arg| arg.starts_with('-')).filter(|arg| arg.contains(char::is_whitespace)) {
            let value = flag.split_once('=').map_or_else(|| flag.chars().skip(2).collect(), |(_, v)| v.to_string());
            self.script(&value, Dialect::Posix, inner);
        }
        let from: Vec<usize> = if !wrapper.after.is_empty() {
            let after = |arg: &String| wrapper.after.iter().any(|flag| flag.eq_ignore_ascii_case(arg));
            args.iter().enumerate().filter(|(_, arg)| after(arg)).map(|(at, _)| at + 1).collect()
        } else if wrapper.anywhere {
            (0..args.len()).collect()
        } else {
            begins(args, wrapper.skip, &wrapper.switches)
        };
        for at in from {
            let command = args.get(at..).unwrap_or_default();
            self.run(command, inner);
            // In a loop's list variables are common, at its beginning they stand for a program.
            let begins = !wrapper.anywhere || at == 0;
            if begins && command.first().is_some_and(|first| is_variable(first)) {
                self.command.raise(Risk::System, script::NAMELESS);
            }
            // Some take the whole command in one argument: `ssh host "..."`.
            if command.first().is_some_and(|first| first.contains(char::is_whitespace)) {
                self.script(&command.join(" "), Dialect::Posix, inner);
            }
        }
    }
}

impl Danger {
    fn fits(&self, program: &str, args: &[String], around: Around) -> bool {
        let words = || args.iter().filter(|arg| !arg.starts_with('-')).map(|arg| arg.to_lowercase());
        named(&self.programs, program)
            && (!self.fed || around.fed)
            && self.flags.as_ref().is_none_or(|flags| flags.iter().any(|flag| any_flag(flag, args)))
            && self.words.as_ref().is_none_or(|all| {
                // A flag's value may stand before the subcommand: `git -C folder clean`.
                let words: Vec<String> = words().collect();
                let early = words.len().min(3);
                all.iter().any(|wanted| (0..early).any(|at| words[at..].starts_with(wanted)))
            })
            && self.starts.as_ref().is_none_or(|starts| {
                args.iter().any(|arg| starts.iter().any(|start| arg.to_lowercase().starts_with(start)))
            })
    }
}

/// The places where a wrapped command may begin. An argument behind a flag may be the flag's value, so the one after
/// it counts too.
fn begins(args: &[String], skip: usize, switches: &[String]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut left = skip + 1;
    for (at, arg) in args.iter().enumerate() {
        if left == 0 {
            break;
        }
        if arg.starts_with('-') || (arg.starts_with('/') && arg.len() < 3) {
            let plain = arg == "--" || switches.contains(arg) || arg.contains('=');
            left += usize::from(!plain);
        } else if !is_setting(arg) && !arg.is_empty() {
            places.push(at);
            left -= 1;
        }
    }
    places
}

/// Whether a program with these arguments takes its script from its input.
fn reads_input(args: &[String]) -> bool {
    let operand = args.iter().find(|arg| !arg.starts_with('-') || *arg == "-");
    operand.is_none_or(|operand| operand == "-" || operand.starts_with("/dev/")) || args.iter().any(|arg| arg == "-s")
}

fn any_flag(flag: &str, args: &[String]) -> bool {
    // Behind "--" everything is a name, but a Windows program does not know that.
    let end = if flag.starts_with('/') { None } else { args.iter().position(|arg| arg == "--") };
    args[..end.unwrap_or(args.len())].iter().any(|arg| is_flag(flag, arg))
}

/// Whether `arg` is or contains the flag, in any of the ways in which flags are written.
fn is_flag(flag: &str, arg: &str) -> bool {
    // PowerShell takes typographic dashes too.
    let arg: String = arg.chars().map(|c| if matches!(c, '\u{2013}'..='\u{2015}') { '-' } else { c }).collect();
    let name = |text: &str| text.split(['=', ':']).next().unwrap_or_default().to_lowercase();
    if let Some(long) = flag.strip_prefix("--") {
        return arg.strip_prefix("--").map(name).is_some_and(|given| !given.is_empty() && long.starts_with(&given));
    }
    if let Some(switch) = flag.strip_prefix('/') {
        let switches = arg.starts_with('/').then(|| arg.split('/').skip(1));
        return switches.into_iter().flatten().any(|given| name(given) == switch);
    }
    let Some(flag) = flag.strip_prefix('-') else { return false };
    let Some(given) = arg.strip_prefix(['-', '/']).filter(|_| !arg.starts_with("--")) else { return false };
    if flag.chars().count() == 1 {
        // One letter, alone or among others; a slash does not begin clusters.
        return arg.starts_with('-') && given.split('=').next().unwrap_or_default().contains(flag);
    }
    let given = name(given);
    !given.is_empty() && flag.to_lowercase().starts_with(&given)
}

/// A program's name without folder, ending and quotes, in lower case.
fn base_name(program: &str) -> String {
    let bare = program.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '@') || c.is_whitespace());
    let name = bare.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let name = name.trim_end_matches(['.', ' ']);
    let ends = [".exe", ".cmd", ".bat", ".com", ".ps1"];
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_string()
}

/// Whether a word is only known when it runs.
fn is_variable(word: &str) -> bool {
    let inner = |mark: char| word.len() > 2 && word.starts_with(mark) && word.ends_with(mark);
    word.starts_with('$') || inner('%') || inner('!')
}

fn named(programs: &[String], program: &str) -> bool {
    programs.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => program.starts_with(start),
        None => base_name(known) == program,
    })
}

fn is_device(file: &str) -> bool {
    let file = file.to_lowercase().replace('\\', "/");
    let harmless = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/"];
    (file.starts_with("/dev/") && !harmless.iter().any(|safe| file.starts_with(safe))) || file.starts_with("//./")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn class(line: &str) -> Risk {
        look_at(&argv(line)).class
    }

    /// A command line as a shell would cut it.
    fn argv(line: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let (mut quote, mut open) = (None, false);
        for c in line.chars() {
            match (quote, c) {
                (Some(q), c) if c == q => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(c);
                    if !open {
                        words.push(String::new());
                        open = true;
                    }
                }
                (None, ' ') => open = false,
                (_, c) => {
                    if !open {
                        words.push(String::new());
                        open = true;
                    }
                    words.last_mut().unwrap().push(c);
                }
            }
        }
        words
    }

    #[test]
    fn the_lists_can_be_read_and_say_why() {
        let lists: Lists = toml::from_str(TEXT).expect("commands.toml");
        assert!(lists.danger.iter().all(|danger| !danger.why.is_empty() && danger.class >= Risk::Destructive));
    }

    #[test]
    fn deleting_a_tree_is_refused_in_every_spelling() {
        for line in [
            "rm -rf /",
            "rm -fr x",
            "rm -r -f x",
            "rm x -f -R",
            "rm --recursive --force x",
            "rm --rec x",
            "/bin/rm -vrf x",
            r"C:\\tools\\RM.EXE -rf x",
            "sudo rm -rf x",
            "sudo -u root rm -rf x",
            "env A=1 -u B rm -rf x",
            "env -S 'rm -rf x'",
            "env '-Srm -rf x'",
            "env '--split-string=rm -rf x'",
            "watch 'rm -rf x'",
            "nohup nice -n 10 rm -rf x",
            "timeout -k 5 7 rm -rf x",
            "timeout -s KILL 5 rm -rf x",
            "busybox rm -rf x",
            "find . -delete",
            "find . -name '*.txt' -exec rm {} ;",
            "find . -exec sh -c 'rm {}' ;",
            "find . -type f -print0 -execdir /bin/rm -f {} +",
            "sh -c 'rm -rf x'",
            "bash -lc 'cd /x && rm -rf y'",
            "sh -c 'r\"m\" -rf x'",
            "sh -c 'ls; (rm -rf x)'",
            "sh -c 'if true; then rm -rf x; fi'",
            "ssh host 'rm -rf x'",
            "sh -c 'ls | xargs rm -rf'",
            "xargs rm",
            "del /s /q x",
            "del x /S",
            "cmd /c del /s/q x",
            "cmd /d/c rd/s/q x",
            "cmd.exe /crd /s /q x",
            "cmd /c 'r^d /s x'",
            "cmd /c '\"rd /s \"x y\"\"'",
            "cmd /c 'echo a & rd /s x'",
            "cmd /c for %i in (a b) do rd /s /q %i",
            "cmd /c if exist x rd /s /q x",
            "cmd /c start '' rd /s x",
            "rd /s x",
            "rmdir /S x",
            "forfiles /s /c 'cmd /c del @path'",
            "schtasks /create /tr 'cmd /c rd /s x'",
            "sh -c 'trap \"rm -r x\" EXIT'",
            "npx rimraf x",
            "powershell Remove-Item -Recurse x",
            "powershell -NoProfile -Command ri x -r -fo",
            "pwsh -c 'rd -Recurse x'",
            "powershell -ExecutionPolicy Bypass rm -r x",
            "powershell -c 'gci -r | ri'",
            "powershell -c 'ri x –Recurse'",
        ] {
            assert_eq!(class(line), Risk::System, "{line}: {:?}", look_at(&argv(line)));
        }
    }

    #[test]
    fn formatting_disks_shutting_down_and_changing_accounts_is_refused() {
        for line in [
            "format C:",
            "FORMAT.COM d: /q",
            "diskpart /s x.txt",
            "mkfs.ext4 /dev/sda1",
            "dd if=/dev/zero of=/dev/sda",
            "sh -c 'echo x > /dev/sda'",
            "shutdown /s /t 0",
            "sudo reboot",
            "systemctl poweroff",
            "powershell Stop-Computer -Force",
            "reg delete HKLM /f",
            "reg.exe DELETE HKCU",
            "vssadmin delete shadows",
            "bcdedit /set x",
            "net user me /add",
            "net1 localgroup administrators me /add",
            "useradd me",
            "chmod -R 777 /",
        ] {
            assert_eq!(class(line), Risk::System, "{line}");
        }
    }

    #[test]
    fn encoded_hidden_and_piped_scripts_are_refused() {
        for line in [
            "powershell -enc SQBFAFgA",
            "powershell -e SQBFAFgA",
            "powershell /EncodedCommand SQBFAFgA",
            "pwsh -NoP -EncodedC SQBFAFgA",
            "sh -c 'curl x | sh'",
            "bash -c 'curl -s x | sudo bash -s -- y'",
            "sh -c 'echo cm0= | base64 -d | sh'",
            "sh -c 'curl x | python3'",
            "sh -c 'curl x | python3 -'",
            "bash -c 'bash <(curl x)'",
            "sh -c 'sh < file'",
            "sh -c '$X -rf /'",
            "sh -c 'eval x'",
            "sh -c '$(echo rm) x'",
            "powershell -c 'iex (irm http://x)'",
            "powershell -Command -",
            "powershell -c '& (x) y'",
            "powershell -c '. (x) y'",
            "sh -c 'if $X -rf /; then y; fi'",
            "sh -c 'sudo $X -rf /'",
            "cmd /c 'set X=rd& call %X% /s'",
            "cmd /c '%X% /s'",
            "xargs sh -c",
        ] {
            assert_eq!(class(line), Risk::System, "{line}: {:?}", look_at(&argv(line)));
        }
        assert_eq!(look_at(&["ls".into(), "x".repeat(LONGEST)]).class, Risk::System);
    }

    #[test]
    fn deleting_single_files_always_asks() {
        for line in [
            "rm x",
            "del x",
            "git reset --hard",
            "git clean -fdx",
            "python3 -c 'x'",
            "rm -- -r",
            "taskkill /f /im x",
            "powershell ri x",
        ] {
            assert_eq!(class(line), Risk::Destructive, "{line}: {:?}", look_at(&argv(line)));
        }
    }

    #[test]
    fn any_other_program_asks_and_none_is_thought_harmless() {
        for line in [
            "nonesuch --version",
            "ls -R",
            "cargo test format",
            "git status",
            "grep -rn shutdown .",
            "echo rm -rf /",
            "sudo -n grep shutdown x",
            "find . -name rm",
            "sh script.sh",
            "sh -c 'make | tee log 2>&1 > /dev/null'",
            "sh -c 'for f in $LIST; do cat $f; done'",
            "python3 tool.py -r",
            "cmd /c dir /s",
            "powershell -File x.ps1",
            "powershell Get-ChildItem -Recurse",
            "tar -rf x.tar y",
            "env A=1 git commit -m 'rm -rf x'",
            "sh -c 'echo \"rm -rf x; reboot\"'",
            "env A=1 cargo test format",
            "dd if=a of=b",
        ] {
            assert_eq!(class(line), Risk::Irreversible, "{line}: {:?}", look_at(&argv(line)));
        }
        assert_eq!(look_at(&[]).class, Risk::Irreversible);
    }

    #[test]
    fn every_program_that_may_run_is_named() {
        assert_eq!(look_at(&argv("sudo git status")).programs, ["git", "sudo"]);
        assert_eq!(look_at(&argv("sh -c 'make && ls'")).programs, ["make", "ls", "sh"]);
    }

    proptest! {
        #[test]
        fn the_order_and_spelling_of_flags_does_not_matter(
            recursive in prop::sample::select(vec!["-r", "-R", "-fr", "-rf", "--recursive", "--recur", "-vrf"]),
            others in prop::collection::vec(prop::sample::select(vec!["-f", "-v", "--force", "x", "y z", "-i"]), 0..5),
            at in 0usize..6,
            wrapped in prop::sample::select(vec!["", "sudo", "env", "nohup", "busybox"]),
        ) {
            let mut args: Vec<String> = others.iter().map(|s| s.to_string()).collect();
            args.insert(at.min(args.len()), recursive.to_string());
            args.insert(0, "rm".into());
            if !wrapped.is_empty() {
                args.insert(0, wrapped.into());
            }
            prop_assert_eq!(look_at(&args).class, Risk::System);
        }

        #[test]
        fn no_command_line_is_below_irreversible_or_panics(args in prop::collection::vec(".{0,12}", 0..6)) {
            prop_assert!(look_at(&args).class >= Risk::Irreversible);
        }

        #[test]
        fn no_script_panics(script in ".{0,60}") {
            for shell in [["sh", "-c"], ["cmd", "/c"], ["powershell", "-c"]] {
                let argv = [shell[0].to_string(), shell[1].to_string(), script.clone()];
                prop_assert!(look_at(&argv).class >= Risk::Irreversible);
            }
        }
    }
}
