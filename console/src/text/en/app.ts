// Texts in English: the shell, and what all screens share.

import { pluralIn } from "../plural";

const plural = pluralIn("en");

export default {
    console: "Console",
    skip: "Skip to content",
    language: "Language",

    // Places
    start: "Home",
    data: "Data",
    boards: "Boards",
    queries: "Queries",
    operate: "Operations",
    inbox: "Inbox",
    tags: "Tags",
    account: "Account",
    profile: "Profile",
    keys: "API keys",
    sessions: "Sessions",
    automations: "Automations",
    runs: "Runs",
    outbox: "Outbox",
    audit: "Audit log",
    reads: "Read log",
    more: "More",
    newRecord: (type: string) => `New ${type}`,
    unread: (count: number) => plural(count, { one: "# unread", other: "# unread" }),

    // Sidebar
    navigation: "Navigation",
    mainRegion: "Content",
    foldSidebar: "Collapse or expand the sidebar",
    views: (type: string) => `Views of ${type}`,
    showViews: (type: string) => `Show the views of ${type}`,
    noTypes: "You have no access to any data here.",
    accountOf: (name: string) => `Account of ${name}`,
    signOut: "Sign out",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark", contrast: "High contrast" },
    singleKeys: "Single-letter shortcuts",

    // Command box
    search: "Search",
    searchHint: "Search records or go to …",
    commands: "Commands",
    places: "Places",
    savedViews: "Saved views",
    nothingFound: "No results.",
    searching: "Searching …",
    allResults: (type: string) => `All results in ${type}`,
    results: (count: number) => plural(count, { one: "# result", other: "# results" }),
    commandKeys: "↑ ↓ to choose, Enter to open, Esc to close",

    // Help
    help: "Keyboard shortcuts",
    everywhere: "Everywhere",
    goTo: (place: string, part?: string) => `Go to ${part ? `${part} (${place})` : place}`,
    closeLayer: "Close the dialog or menu",
    nextRegion: "Next part of the screen",
    previousRegion: "Previous part of the screen",
    spaceKey: "Space",
    then: "then",

    // Session
    sessionEnded: "Your session has ended",
    sessionEndedText: "Sign in again to continue. Nothing you typed is lost.",
    user: "User",
    password: "Password",
    signIn: "Sign in",
    signInPage: "Go to the sign-in page",
    wrongPassword: "The user or the password is wrong.",
    actingAs: (actor: string, name: string) => `${actor} is acting as ${name}.`,
    endActing: "Stop",

    // Bars
    offline: "No connection. Trying to reconnect …",
    limited: (seconds: number) =>
        plural(seconds, {
            one: "Too many requests. Retrying in # second.",
            other: "Too many requests. Retrying in # seconds.",
        }),

    // Buttons
    close: "Close",
    cancel: "Cancel",
    save: "Save",
    delete: "Delete",
    undo: "Undo",
    retry: "Retry",
    clear: "Clear",
    back: "Back",
    copy: "Copy",
    copied: "Copied.",
    loading: "Loading …",
    notifications: "Notifications",
    yes: "Yes",
    no: "No",
    none: "None",
    required: "required",
    noHits: "No matches",

    // Problems
    problem: "Something went wrong",
    details: "Details",
    requestId: "Request",
    noRight: "You do not have access",
    noRightText: "Ask an administrator for access.",
    gone: "Not found, or not visible to you",
    goneText: "It may have been deleted, or you do not have access to it.",
    missingPage: "Page not found",
    missingPageText: "Check the address for typing errors.",
    toStart: "Go to the home page",
    newVersion: "A new version of the console is available.",
    codes: {
        offline: "No connection to the server.",
        key_invalid: "Your session has ended.",
        sign_in_failed: "The user or the password is wrong.",
        rest_api_missing: "You do not have permission to use the console.",
        permission_missing: "You do not have permission to do this.",
        item_missing: "It does not exist, or is not visible to you.",
        resource_changed: "It was changed in the meantime.",
        rate_limited: "Too many requests. Try again in a moment.",
        tenant_frozen: "Frozen by the operator: nothing can be changed for now.",
        tenant_damaged: "The data are damaged. The operator has to restore them.",
        internal: "The server had an error.",
    } as Record<string, string>,
};
