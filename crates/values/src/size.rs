//! The memory that a value takes, with all that is in it.

use crate::value::{Array, ArrayKey, Object, Text, Value};

/// The bytes of the head of a shared block, with the vector that it may hold.
pub const BLOCK: usize = 64;

/// The bytes of an entry of a map with its share of the table, both grown to twice what they hold.
const ENTRY: usize = 200;

/// The bytes of a table beside its entries: its head, and room for the first few.
const TABLE: usize = 6 * BLOCK;

/// The bytes of a name in an object's list of names, likewise.
const NAME: usize = 104;

/// Values nested deeper are not looked at: they count as all that may be counted.
const DEPTH: usize = 64;

/// The bytes that a value keeps alive, `most` where they are as many or more. What is shared with others counts as
/// the value's own, and what it shares with itself each time: never too little.
pub fn size(value: &Value, most: usize) -> usize {
    let mut room = most;
    match count(value, &mut room, DEPTH) {
        Some(()) => most - room,
        None => most,
    }
}

/// Takes a value's bytes off the room; none where there are not as many.
fn count(value: &Value, room: &mut usize, depth: usize) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Decimal(_) => Some(()),
        Value::Text(text) => take(room, bytes(text)),
        Value::Array(Array::List(items)) => {
            take(room, BLOCK + items.capacity() * size_of::<Value>())?;
            items.iter().try_for_each(|item| count(item, room, depth))
        }
        Value::Array(Array::Map { entries, .. }) => {
            take(room, TABLE + entries.len() * ENTRY)?;
            entries.iter().try_for_each(|(key, item)| {
                if let ArrayKey::Text(text) = key {
                    take(room, bytes(text))?;
                }
                count(item, room, depth)
            })
        }
        Value::Object(object) => properties(object, room, depth),
        Value::Secret(secret) => {
            take(room, BLOCK)?;
            count(&secret.0, room, depth)
        }
        Value::File(file) => take(room, 2 * BLOCK + file.title.capacity() + bytes(&file.data)),
        Value::DateTime(_) | Value::Interval(_) => take(room, 4 * BLOCK),
        // What the place hands over is the place's.
        Value::Resource(_) | Value::Changes(_) | Value::Rows(_) => Some(()),
    }
}

fn properties(object: &Object, room: &mut usize, depth: usize) -> Option<()> {
    take(room, TABLE + object.len() * (NAME + size_of::<Value>()))?;
    object.iter().try_for_each(|(name, value)| {
        take(room, bytes(name))?;
        count(value, room, depth)
    })
}

/// Returns the bytes that a text takes beside the value that it is.
fn bytes(text: &Text) -> usize {
    match text {
        Text::Utf8(text) if !text.is_heap_allocated() => 0,
        text => text.len() + BLOCK / 2,
    }
}

fn take(room: &mut usize, bytes: usize) -> Option<()> {
    *room = room.checked_sub(bytes)?;
    Some(())
}
