//! Gives the Windows executable its icon, its version and its manifest; elsewhere there is nothing to do.

fn main() {
    println!("cargo:rerun-if-changed=assets/windows");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let mut numbers: Vec<&str> = version.split(['.', '-', '+']).take(3).collect();
    numbers.resize(4, "0");
    let macros = [format!("VERSION={version}"), format!("VERSION_NUMBERS={}", numbers.join(","))];
    if let Err(error) =
        embed_resource::compile_for("assets/windows/deskhand.rc", ["deskhand"], &macros).manifest_required()
    {
        println!("cargo:warning=the executable would have no icon and no manifest: {error}");
        std::process::exit(1);
    }
}
