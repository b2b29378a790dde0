// The user whom a person acts as: roles, zone and inbox, as far as the server tells them to the key of `login-as`.

import { ApiError, call } from "../data/call";

export interface Acted {
    roles: string[];
    permissions: string[];
    /** Null where the user has the zone of the tenant, or may not read the own account. */
    zone: string | null;
    unread: number;
}

interface OwnAccount {
    roles?: unknown;
    timezone?: unknown;
}

interface Unread {
    items: unknown[];
}

/** The most that a list of notifications answers at once; the console shows no greater number. */
const mostUnread = 100;

/** Reads what is known of the user. `session` tells of the person alone: permissions show by what is not refused. */
export async function readActed(): Promise<Acted> {
    const [account, unread] = await Promise.all([
        allowed(call<OwnAccount>("GET", "../../v1/app/user.current")),
        allowed(
            call<Unread | undefined>("GET", "collection/notifications", {
                query: { unread_only: true, limit: mostUnread },
            }),
        ),
    ]);
    const roles = account?.data.roles;
    const zone = account?.data.timezone;
    return {
        roles: Array.isArray(roles) ? roles.map(String) : [],
        // A user without `restApi` is refused by `login-as`.
        permissions: [
            "restApi",
            ...(account === null ? [] : ["profile"]),
            ...(unread === null ? [] : ["notifications"]),
        ],
        zone: typeof zone === "string" ? zone : null,
        unread: unread?.data?.items.length ?? 0,
    };
}

/** The answer, or null where the server refuses it or is not reached: the console then works without it. */
async function allowed<T>(answer: Promise<T>): Promise<T | null> {
    try {
        return await answer;
    } catch (error) {
        if (error instanceof ApiError) return null;
        throw error;
    }
}
