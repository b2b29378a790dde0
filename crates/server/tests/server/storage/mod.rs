//! Where the bytes of files lie: a folder that outlives crashes and trusts nothing in it, and a bucket of a server
//! that speaks S3's protocol, which these tests start.

pub(crate) mod bucket;
mod crash;
mod folder;
pub(crate) mod hanging;

/// A type with files.
const ALBUM: (&str, &str) = (
    "types/album.yaml",
    "id: 20\nname: album\ntitle: Album\nproperties:\n\
     \x20 cover:  {id: 200, kind: pFile, title: Cover}\n\
     \x20 photos: {id: 201, kind: pFiles, title: Photos}\n",
);
