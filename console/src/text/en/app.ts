// Texts in English: the shell, and what all screens share.

import { pluralIn } from "../plural";

const plural = pluralIn("en");

export default {
    console: "Console",
    skip: "Skip to content",
    language: "Language",

    // Places
    start: "Start",
    data: "Data",
    boards: "Boards",
    queries: "Queries",
    operate: "Operate",
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
    newRecord: (type: string) => `New: ${type}`,
    unread: (count: number) => plural(count, { one: "# unread", other: "# unread" }),

    // Sidebar
    navigation: "Navigation",
    mainRegion: "Content",
    foldSidebar: "Collapse or expand the sidebar",
    views: (type: string) => `Views of ${type}`,
    showViews: (type: string) => `Show the views of ${type}`,
    noTypes: "There is no data here that you may see.",
    accountOf: (name: string) => `Account of ${name}`,
    signOut: "Sign out",
    theme: "Theme",
    themes: { system: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" },
    singleKeys: "Single-letter keys",

    // Command box
    search: "Search",
    searchHint: "Search records, or go to …",
    commands: "Commands",
    places: "Places",
    savedViews: "Saved views",
    nothingFound: "Nothing was found.",
    searching: "Searching …",
    allResults: (type: string) => `All results in ${type}`,
    results: (count: number) => plural(count, { one: "# result", other: "# results" }),
    commandKeys: "↑ ↓ choose, Enter opens, Esc closes",

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
    sessionEndedText: "Sign in again to go on. Nothing that you typed is lost.",
    user: "User",
    password: "Password",
    signIn: "Sign in",
    signInPage: "Go to the sign-in page",
    wrongPassword: "The user or the password is wrong.",
    actingAs: (actor: string, name: string) => `${actor} acts as ${name}.`,
    endActing: "End",

    // Bars
    offline: "No connection. The console tries again by itself.",
    limited: (seconds: number) =>
        plural(seconds, {
            one: "Too many requests. Next try in # second.",
            other: "Too many requests. Next try in # seconds.",
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
    notifications: "Messages",
    yes: "Yes",
    no: "No",
    none: "None",
    required: "required",
    noHits: "No match",

    // Problems
    problem: "That did not work",
    details: "Details",
    requestId: "Request",
    noRight: "You have no right to this",
    noRightText: "Ask an administrator of the tenant for it.",
    gone: "Not there, or not visible to you",
    goneText: "It may have been deleted, or you have no right to see it.",
    missingPage: "There is no such page",
    missingPageText: "The address may be mistyped.",
    toStart: "Go to the start",
    newVersion: "The console has a new version.",
    codes: {
        offline: "There is no connection to the server.",
        key_invalid: "Your session has ended.",
        sign_in_failed: "The user or the password is wrong.",
        rest_api_missing: "You have no right to use the console.",
        permission_missing: "You have no right to do this.",
        item_missing: "It is not there, or not visible to you.",
        resource_changed: "It has been changed meanwhile.",
        rate_limited: "Too many requests. Try again in a moment.",
        internal: "The server failed.",
    } as Record<string, string>,
};
