//! Parses the arguments, chooses the command, returns its exit code; nothing else.

fn main() -> std::process::ExitCode {
    deskhand::cli::main()
}
