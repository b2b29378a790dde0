// Paths of the API that stand beside the extensions: `call` begins below `api/ext/v1/`.

const contract = "../../v1";

export const tagsOfObject = `${contract}/app/tags.object`;
export const assignTags = `${contract}/app/tags.assign`;

export function uploadPath(type: string, property: string): string {
    return `${contract}/upload/${encodeURIComponent(type)}/${encodeURIComponent(property)}`;
}
