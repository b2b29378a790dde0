// One of several values of a field, as it is shown there.

export interface Token {
    key: string;
    title: string;
    color?: string | null;
    href?: string;
}
