//! Help for shells: scripts of completion, and pages for man.

use super::program::Plinth;
use serde_json::Value as Json;
use spec::spec;
use std::process::Command;
use tokio::task::block_in_place;

/// The names of all commands, from the help.
fn commands(plinth: &Plinth) -> Vec<String> {
    let help = plinth.run(&["--help"]).done();
    let all = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    all.filter_map(|line| Some(line.strip_prefix("  ")?.split(' ').next()?.to_owned()))
        .filter(|name| !name.is_empty())
        .collect()
}

#[spec]
async fn shells_complete_commands(plinth: Plinth) {
    block_in_place(|| {
        let commands = commands(&plinth);
        assert!(commands.len() > 20, "{commands:?}");
        for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
            let script = plinth.run_in(&[], &["completions", shell], b"").done();
            for command in &commands {
                assert!(script.contains(command.as_str()), "{shell}: {command}");
            }
        }
        let script = plinth.path("plinth.bash");
        std::fs::write(&script, plinth.run(&["completions", "bash"]).done()).unwrap();
        let completed = Command::new("bash")
            .arg("-c")
            .arg("source \"$1\"; COMP_WORDS=(plinth bac); COMP_CWORD=1; _plinth plinth bac plinth; echo \"${COMPREPLY[@]}\"")
            .args(["bash", script.to_str().unwrap()])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&completed.stdout), "backup\n");
        let refused = plinth.run(&["completions", "tcsh"]);
        assert!(refused.code == 2 && refused.errors.contains("possible values: bash"), "{}", refused.errors);
    });
}

#[spec]
async fn each_command_has_a_page_for_man(plinth: Plinth) {
    block_in_place(|| {
        let folder = plinth.path("man/man1");
        let told: Json = plinth.run(&["man", "--json", "--to", folder.to_str().unwrap()]).json();
        let commands = commands(&plinth);
        assert!(told["pages"].as_u64().unwrap() as usize > commands.len());
        for command in commands.iter().filter(|command| *command != "help") {
            let page = std::fs::read_to_string(folder.join(format!("plinth-{command}.1"))).unwrap();
            assert!(page.contains(".TH plinth-") && page.contains(".SH SYNOPSIS"), "{page}");
        }
        std::fs::write(plinth.path("file"), "").unwrap();
        let refused = plinth.run(&["man", "--to", plinth.path("file/below").to_str().unwrap()]);
        assert!(
            refused.code == 1 && refused.errors.contains("Name a folder that can be written"),
            "{}",
            refused.errors
        );
    });
}
