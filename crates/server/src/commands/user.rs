//! `plinth user`: users and their passwords.

use super::console::cell;
use super::output::tell;
use super::{Console, Failure};
use accounts::users;
use accounts::users::{NewUser, UserSummary};
use clap::{Args, Subcommand};
use context::passwords::PasswordHash;
use serde_json::{Value as Json, json};
use std::io::BufRead;

/// List, create and disable users, and set their passwords
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth user create ann@example.com --name Ann --role admin\n  \
                        echo 'a long password' | plinth user password ann@example.com --password-stdin\n  \
                        plinth user disable ann@example.com")]
pub(super) struct UserArguments {
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Debug, Subcommand)]
enum UserCommand {
    /// List all users
    List,
    /// Create a user
    Create {
        /// The login name
        login: String,
        /// The name for people; the login by default
        #[arg(long)]
        name: Option<String>,
        /// A role of the user; may be repeated
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<String>,
        #[command(flatten)]
        password: PasswordSource,
    },
    /// Set the password of a user
    Password {
        /// The login name
        login: String,
        /// Keep the API keys that the old password made; they are revoked otherwise
        #[arg(long)]
        keep_keys: bool,
        #[command(flatten)]
        password: PasswordSource,
    },
    /// Disable a user: sign-in and keys stop working
    Disable {
        /// The login name
        login: String,
    },
    /// Enable a disabled user
    Enable {
        /// The login name
        login: String,
    },
}

/// The source of a password: never the arguments by default, since other users of the machine see them.
#[derive(Debug, Args)]
struct PasswordSource {
    /// Read the password from standard input instead of generating one
    #[arg(long)]
    password_stdin: bool,
    /// Use this password, which other users of this machine may see
    #[arg(long, value_name = "PASSWORD", conflicts_with = "password_stdin")]
    insecure_password: Option<String>,
}

/// Runs the command.
pub(super) fn run(arguments: UserArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = match arguments.command {
        UserCommand::List => console.platform(&settings)?,
        _ => console.changed_platform(&settings)?,
    };
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        UserCommand::List => {
            let users = tenant.read_as_administrator(|tx, _| users::list(tx))?;
            let object = |user: &UserSummary| {
                let UserSummary { id, login, name, roles, disabled } = user;
                json!({"id": id, "user": login, "name": name, "roles": roles, "disabled": disabled})
            };
            let items = users.iter().map(object).collect();
            console.print_table(["id", "login", "name", "roles", "state"], row, "There are no users.", items, false)?;
        }
        UserCommand::Create { login, name, roles, password } => {
            let (password, shown) = password.take(console)?;
            let user = NewUser { name: name.unwrap_or_else(|| login.clone()), login, roles, password };
            let id = tenant.write_as_administrator(|tx, context| users::create(tx, context, &user))?;
            let text = format!("user {} has the id {id}{}", user.login, said(shown.as_deref()));
            let json = json!({"id": id, "user": user.login, "password": shown});
            print_password(console, &text, &json, &user.login)?;
            if user.roles.is_empty() {
                tell(format_args!(
                    "plinth: {} has no role, and no key of this user works. Name a role with restApi by --role.",
                    user.login
                ));
            }
        }
        UserCommand::Password { login, keep_keys, password } => {
            let (password, shown) = password.take(console)?;
            tenant.write_as_administrator(|tx, context| {
                users::set_password(tx, &context.keeping_keys(keep_keys), &login, &password)
            })?;
            let text = format!("user {login} has a new password{}", said(shown.as_deref()));
            print_password(console, &text, &json!({"user": login, "password": shown}), &login)?;
        }
        UserCommand::Disable { login } => {
            tenant.write_as_administrator(|tx, context| users::disable(tx, context, &login, true))?;
            console.print(&format!("user {login} is disabled"), &json!({"user": login, "disabled": true}))?;
        }
        UserCommand::Enable { login } => {
            tenant.write_as_administrator(|tx, context| users::disable(tx, context, &login, false))?;
            console.print(&format!("user {login} is enabled"), &json!({"user": login, "disabled": false}))?;
        }
    }
    Ok(())
}

impl PasswordSource {
    /// The hash, and the password itself where it was made here.
    fn take(self, console: &Console) -> Result<(PasswordHash, Option<String>), Failure> {
        let random = console.environment.random.as_ref();
        let (password, shown) = match self.insecure_password {
            Some(password) => (password, None),
            None if self.password_stdin => {
                let mut line = String::new();
                std::io::stdin().lock().read_line(&mut line)?;
                (line.trim_end_matches(['\r', '\n']).to_owned(), None)
            }
            None => {
                let password = context::passwords::generate(random);
                (password.clone(), Some(password))
            }
        };
        Ok((PasswordHash::new(&password, random)?, shown))
    }
}

/// Prints what was done, with the password if one was made.
fn print_password(console: &Console, text: &str, json: &Json, login: &str) -> Result<(), Failure> {
    if json["password"].is_null() {
        return console.print(text, json);
    }
    let lost = format!("Nobody has seen the new password of {login}. Set another with plinth user password {login}.");
    console.print_once(text, json, &lost)
}

fn said(password: Option<&str>) -> String {
    password.map(|password| format!("; the password is {password}")).unwrap_or_default()
}

fn row(user: &Json) -> [String; 5] {
    let roles: Vec<&str> = user["roles"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let roles = if roles.is_empty() { "no role".to_owned() } else { roles.join(", ") };
    let state = if user["disabled"] == true { "disabled" } else { "" };
    [cell(&user["id"]), cell(&user["user"]), cell(&user["name"]), roles, state.to_owned()]
}
