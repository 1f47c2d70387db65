//! Paths as they really are: absolute, with `..` and links resolved, and never a device or another machine.
//!
//! A path is resolved through the file system once; what is asked about, shown and used afterwards is the result.
//! Names that mean something special on one system are refused there; spellings that only the other system
//! understands are refused too, because nobody can say what was meant.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Why a path is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathRefusal {
    #[error("a path must not be empty")]
    Empty,
    #[error("{path:?} contains a character that no path may have")]
    BadCharacter { path: String },
    #[error("{path:?} is on another machine (a network path); only this machine's folders are allowed")]
    Network { path: String },
    #[error("{path:?} is a device, not a file")]
    Device { path: String },
    #[error("{path:?} depends on a drive's current folder; write the whole path, such as C:\\folder\\file")]
    DriveRelative { path: String },
    #[error("{path:?} names a hidden stream of a file (a colon in a name)")]
    Stream { path: String },
    #[error("{path:?} has a name that ends with a dot or a blank, which Windows takes for another name")]
    TrailingDot { path: String },
    #[error("{path:?} is written as on another system; separate folders with \"/\" here")]
    OtherSystem { path: String },
    #[error("{path:?} runs in a circle of links")]
    TooManyLinks { path: String },
    #[error("the base folder {path:?} is not an absolute path")]
    RelativeBase { path: String },
    #[error("{path:?} cannot be looked at: {why}")]
    Unreadable { path: String, why: String },
}

/// A path that was resolved: absolute, without `..`, without links in the part that exists.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResolvedPath(PathBuf);

/// Links that are followed before we call it a circle.
const MOST_LINKS: usize = 40;

impl ResolvedPath {
    /// Resolves `text`, which counts from `base` when it is relative. The last parts need not exist yet.
    ///
    /// # Errors
    /// The refusal, as a sentence.
    pub fn resolve(text: &str, base: &Path) -> Result<ResolvedPath, PathRefusal> {
        check_text(text, Spelling::here())?;
        if !base.is_absolute() {
            return Err(PathRefusal::RelativeBase { path: base.display().to_string() });
        }
        let mut walk = Walk { asked: text, links: 0 };
        let path = walk.follow(&base.join(text))?;
        check_place(&path, text)?;
        Ok(ResolvedPath(path))
    }

    /// The path for the file system.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// Whether it is `root` or lies below it. `/a/bc` is not inside `/a/b`.
    pub fn inside(&self, root: &ResolvedPath) -> bool {
        // By whole components, and both sides are resolved.
        self.0.starts_with(&root.0)
    }
}

impl fmt::Display for ResolvedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.display())
    }
}

/// The system whose rules for names apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Unix,
    Windows,
}

impl Spelling {
    fn here() -> Self {
        if cfg!(windows) { Spelling::Windows } else { Spelling::Unix }
    }
}

/// Refuses what can be refused by its spelling alone.
fn check_text(text: &str, spelling: Spelling) -> Result<(), PathRefusal> {
    let path = || text.to_string();
    let slashed = text.replace('\\', "/");
    if text.trim().is_empty() {
        return Err(PathRefusal::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(PathRefusal::BadCharacter { path: path() });
    }
    // `\\?\` and `\\.\` open devices, `\\server` another machine; in either slash.
    if slashed.starts_with("//?/") || slashed.starts_with("//./") || slashed.starts_with("/??/") {
        return Err(PathRefusal::Device { path: path() });
    }
    if slashed.starts_with("//") {
        return Err(PathRefusal::Network { path: path() });
    }
    let (drive, rest) = split_drive(&slashed);
    if drive && !rest.starts_with('/') {
        return Err(PathRefusal::DriveRelative { path: path() });
    }
    match spelling {
        Spelling::Unix if drive || text.contains('\\') => Err(PathRefusal::OtherSystem { path: path() }),
        Spelling::Unix => Ok(()),
        // "/x" would be on whichever drive happens to be the current one.
        Spelling::Windows if !drive && rest.starts_with('/') => Err(PathRefusal::DriveRelative { path: path() }),
        Spelling::Windows => rest.split('/').try_for_each(|name| check_windows_name(name, text)),
    }
}

/// Splits `C:` off; true when there was one.
fn split_drive(slashed: &str) -> (bool, &str) {
    let mut characters = slashed.chars();
    match (characters.next(), characters.next()) {
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => (true, characters.as_str()),
        _ => (false, slashed),
    }
}

fn check_windows_name(name: &str, text: &str) -> Result<(), PathRefusal> {
    let path = || text.to_string();
    if name.contains(':') {
        return Err(PathRefusal::Stream { path: path() });
    }
    if name.contains(['<', '>', '"', '|', '?', '*']) {
        return Err(PathRefusal::BadCharacter { path: path() });
    }
    if !matches!(name, "" | "." | "..") && name.ends_with(['.', ' ']) {
        return Err(PathRefusal::TrailingDot { path: path() });
    }
    // NUL.txt is the device too.
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = ["COM", "LPT"].iter().find_map(|port| stem.strip_prefix(port));
    let is_port = numbered.is_some_and(|n| n.chars().count() == 1 && n.contains(|c: char| "0123456789¹²³".contains(c)));
    if is_port || matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return Err(PathRefusal::Device { path: path() });
    }
    Ok(())
}

/// Refuses where the resolved path leads, whatever links led there.
fn check_place(path: &Path, asked: &str) -> Result<(), PathRefusal> {
    let device = || PathRefusal::Device { path: asked.to_string() };
    if cfg!(unix) && ["/dev", "/proc", "/sys"].iter().any(|tree| path.starts_with(tree)) {
        return Err(device());
    }
    let Ok(found) = std::fs::metadata(path) else { return Ok(()) };
    // Pipes, sockets and device files anywhere.
    if found.is_file() || found.is_dir() { Ok(()) } else { Err(device()) }
}

/// Walks through the file system component by component, so that `..` leaves a linked folder by its real parent.
struct Walk<'t> {
    asked: &'t str,
    links: usize,
}

impl Walk<'_> {
    fn follow(&mut self, path: &Path) -> Result<PathBuf, PathRefusal> {
        let mut real = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Prefix(_) | Component::RootDir => real.push(component),
                Component::CurDir => {}
                Component::ParentDir => {
                    real.pop();
                }
                Component::Normal(name) => real = self.step(&real, &real.join(name))?,
            }
        }
        Ok(real)
    }

    /// The real place of `path`, whose folder `parent` is real already.
    fn step(&mut self, parent: &Path, path: &Path) -> Result<PathBuf, PathRefusal> {
        match std::fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => {
                self.links += 1;
                if self.links > MOST_LINKS {
                    return Err(PathRefusal::TooManyLinks { path: self.asked.to_string() });
                }
                let to = std::fs::read_link(path).map_err(|e| self.unreadable(&e))?;
                // The link's target may not exist yet; writing through the link would create it.
                self.follow(&parent.join(local(to, self.asked)?))
            }
            // The spelling of the file system: on Windows the long name in its own case.
            Ok(_) if cfg!(windows) => {
                let real = std::fs::canonicalize(path).map_err(|e| self.unreadable(&e))?;
                local(real, self.asked)
            }
            Ok(_) => Ok(path.to_path_buf()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(path.to_path_buf()),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    fn unreadable(&self, error: &std::io::Error) -> PathRefusal {
        PathRefusal::Unreadable { path: self.asked.to_string(), why: error.to_string() }
    }
}

/// Takes the `\\?\` off that Windows puts before resolved paths; what leads to another machine is refused.
fn local(path: PathBuf, asked: &str) -> Result<PathBuf, PathRefusal> {
    if !cfg!(windows) {
        return Ok(path);
    }
    let Some(text) = path.to_str() else { return Ok(path) };
    let bare = text.strip_prefix(r"\\?\").unwrap_or(text);
    if bare.starts_with("UNC") || bare.starts_with(r"\\") {
        return Err(PathRefusal::Network { path: asked.to_string() });
    }
    Ok(PathBuf::from(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unc_device_drive_and_stream_spellings_are_refused_on_windows() {
        for bad in [
            r"\\server\share\x",
            "//server/share",
            r"\/server\x",
            r"\\?\C:\x",
            r"\\.\PhysicalDrive0",
            "//./COM1",
            r"\??\C:\x",
            "NUL",
            "nul.txt",
            "CON ",
            "con .txt",
            r"C:\folder\aux",
            "COM1",
            "com¹.log",
            "LPT9.txt",
            "CONIN$",
            "C:x",
            "C:",
            r"\x",
            "/x",
            "file.txt:stream",
            r"C:\x\file::$DATA",
            "file.txt.",
            r"folder \x",
            r"...\x",
            "a\0b",
            "a\nb",
            "a*b",
            "",
            " ",
        ] {
            assert!(check_text(bad, Spelling::Windows).is_err(), "{bad:?}");
        }
        for good in [r"C:\x\y.txt", "C:/x", r"..\x", "x/y.z", r"D:\工具 箱\a.xlsx", "console.txt", "com10", ".git", "."]
        {
            assert_eq!(check_text(good, Spelling::Windows), Ok(()), "{good:?}");
        }
    }

    #[test]
    fn windows_spellings_are_refused_on_unix_too() {
        for bad in
            [r"\\server\x", "//server/x", r"\\?\C:\x", r"\\.\x", r"C:\x", "C:/x", "C:x", r"..\..\etc", "a\0b", ""]
        {
            assert!(check_text(bad, Spelling::Unix).is_err(), "{bad:?}");
        }
        for good in ["/x/y", "../x", "log 10:30:00.txt", "con", "x.", "订单.xlsx"] {
            assert_eq!(check_text(good, Spelling::Unix), Ok(()), "{good:?}");
        }
    }

    #[cfg(unix)]
    mod on_disk {
        use super::*;
        use proptest::prelude::*;
        use std::os::unix::fs::symlink;

        fn stage() -> (tempfile::TempDir, ResolvedPath) {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("work/sub")).unwrap();
            std::fs::create_dir_all(folder.path().join("workshop")).unwrap();
            let root = ResolvedPath::resolve("work", folder.path()).unwrap();
            (folder, root)
        }

        #[test]
        fn links_and_dots_are_followed_to_where_they_really_lead() {
            let (folder, root) = stage();
            let work = root.as_path();
            symlink("/etc", work.join("out")).unwrap();
            symlink("../workshop", work.join("up")).unwrap();
            symlink(folder.path().join("not/there/yet"), work.join("dangling")).unwrap();
            symlink("sub", work.join("in")).unwrap();
            for (text, inside) in [
                ("sub/new/file.txt", true),
                ("in/file.txt", true),
                ("sub/../x", true),
                (".", true),
                ("new/../../workshop/x", false),
                ("..", false),
                ("../workshop", false),
                ("out/passwd", false),
                ("up/x", false),
                // The parent of a linked folder is the parent of where it leads.
                ("up/../work/x", true),
                ("out/../x", false),
                ("dangling", false),
                ("dangling/x", false),
                ("/etc/passwd", false),
            ] {
                let path = ResolvedPath::resolve(text, work).unwrap();
                assert_eq!(path.inside(&root), inside, "{text}: {path}");
            }
        }

        #[test]
        fn a_neighbour_with_a_longer_name_is_not_inside() {
            let (folder, root) = stage();
            let neighbour = ResolvedPath::resolve("workshop/x", folder.path()).unwrap();
            assert!(!neighbour.inside(&root));
            assert!(root.inside(&root));
        }

        #[test]
        fn devices_are_refused_also_through_links() {
            let (_folder, root) = stage();
            symlink("/dev/null", root.as_path().join("hole")).unwrap();
            symlink("/proc", root.as_path().join("proc")).unwrap();
            for bad in
                ["/dev/sda", "/proc/self/mem", "/sys/power/state", "hole", "proc/1/environ", "../../../../../../dev/x"]
            {
                let result = ResolvedPath::resolve(bad, root.as_path());
                assert!(matches!(result, Err(PathRefusal::Device { .. })), "{bad}: {result:?}");
            }
        }

        #[test]
        fn a_circle_of_links_is_refused() {
            let (_folder, root) = stage();
            symlink("b", root.as_path().join("a")).unwrap();
            symlink("a", root.as_path().join("b")).unwrap();
            let result = ResolvedPath::resolve("a/x", root.as_path());
            assert!(matches!(result, Err(PathRefusal::TooManyLinks { .. })), "{result:?}");
        }

        #[test]
        fn a_file_is_no_folder_and_a_base_is_absolute() {
            let (_folder, root) = stage();
            std::fs::write(root.as_path().join("file"), "").unwrap();
            assert!(matches!(ResolvedPath::resolve("file/x", root.as_path()), Err(PathRefusal::Unreadable { .. })));
            assert!(matches!(ResolvedPath::resolve("x", Path::new("work")), Err(PathRefusal::RelativeBase { .. })));
        }

        proptest! {
            /// Whatever is written, a path that says it is inside has the root as its real ancestor.
            #[test]
            fn no_spelling_escapes_the_root(parts in prop::collection::vec("\\.\\.|\\.|sub|out|in|up|new|workshop|/", 0..9)) {
                let (_folder, root) = stage();
                let work = root.as_path();
                symlink("/etc", work.join("out")).unwrap();
                symlink("../workshop", work.join("up")).unwrap();
                symlink("sub", work.join("in")).unwrap();
                let text = parts.join("/");
                let Ok(path) = ResolvedPath::resolve(&text, work) else { return Ok(()) };
                prop_assert!(path.as_path().is_absolute());
                prop_assert!(path.as_path().components().all(|c| c != Component::ParentDir));
                // The system agrees where an existing path leads.
                if let Ok(real) = std::fs::canonicalize(work.join(&text)) {
                    prop_assert_eq!(real.as_path(), path.as_path());
                }
                prop_assert_eq!(path.inside(&root), path.as_path().starts_with(work));
            }
        }
    }
}
