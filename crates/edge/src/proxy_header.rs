//! The PROXY header before a connection's first byte (PROXY protocol, versions 1 and 2): a proxy names its client.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

/// The first bytes of version 2.
const SIGNATURE: &[u8; 12] = b"\r\n\r\n\0\r\nQUIT\n";
/// The most bytes behind the first 16 of version 2: addresses, and notes of the proxy that are passed over.
const MOST_BYTES: usize = 4096;
/// The most bytes of version 1, with its end of line.
const MOST_LINE: usize = 107;

/// The sender of a connection, as a proxy names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProxyHeader {
    /// A client.
    Client(IpAddr),
    /// The proxy itself, such as a check of health, or a client that it does not know.
    Unnamed,
}

/// Reads the header, and no byte behind it.
pub(crate) async fn read(stream: &mut TcpStream) -> io::Result<ProxyHeader> {
    let mut first = [0; SIGNATURE.len()];
    stream.read_exact(&mut first).await?;
    if first == *SIGNATURE {
        let mut head = [0; 4];
        stream.read_exact(&mut head).await?;
        let length = usize::from(u16::from_be_bytes([head[2], head[3]]));
        if length > MOST_BYTES {
            return Err(malformed());
        }
        let mut rest = vec![0; length];
        stream.read_exact(&mut rest).await?;
        return binary(head[0], head[1], &rest).ok_or_else(malformed);
    }
    if !first.starts_with(b"PROXY ") {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the connection begins without a PROXY header"));
    }
    let mut line = first.to_vec();
    while !line.ends_with(b"\n") {
        // Bytes behind the line are those of the client.
        let mut seen = [0; MOST_LINE];
        let count = stream.peek(&mut seen[..MOST_LINE - line.len()]).await?;
        let end = seen[..count].iter().position(|byte| *byte == b'\n').map_or(count, |end| end + 1);
        if end == 0 {
            return Err(malformed());
        }
        stream.read_exact(&mut seen[..end]).await?;
        line.extend_from_slice(&seen[..end]);
    }
    text(&line).ok_or_else(malformed)
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the PROXY header is malformed")
}

/// Reads version 2 from behind its signature.
fn binary(command: u8, family: u8, rest: &[u8]) -> Option<ProxyHeader> {
    let (client, notes) = match (command, family) {
        // The kind of address of a connection of the proxy itself says nothing.
        (0x20, _) => return Some(ProxyHeader::Unnamed),
        (0x21, 0x00) => (ProxyHeader::Unnamed, rest),
        (0x21, 0x11) => {
            let (addresses, notes) = rest.split_first_chunk::<12>()?;
            (client(Ipv4Addr::from(*addresses.first_chunk::<4>()?)), notes)
        }
        (0x21, 0x21) => {
            let (addresses, notes) = rest.split_first_chunk::<36>()?;
            (client(Ipv6Addr::from(*addresses.first_chunk::<16>()?)), notes)
        }
        _ => return None,
    };
    is_list_of_notes(notes).then_some(client)
}

/// Returns true if each note has its kind, its length and so many bytes.
fn is_list_of_notes(mut notes: &[u8]) -> bool {
    while let Some(([_, length @ ..], rest)) = notes.split_first_chunk::<3>() {
        let Some((_, next)) = rest.split_at_checked(u16::from_be_bytes(*length).into()) else { return false };
        notes = next;
    }
    notes.is_empty()
}

/// Reads the line of version 1.
fn text(line: &[u8]) -> Option<ProxyHeader> {
    let line = str::from_utf8(line.strip_suffix(b"\r\n")?).ok()?.strip_prefix("PROXY ")?;
    if line == "UNKNOWN" || line.starts_with("UNKNOWN ") {
        return Some(ProxyHeader::Unnamed);
    }
    let mut fields = line.split(' ');
    let client = match fields.next()? {
        "TCP4" => addresses::<Ipv4Addr>(&mut fields)?,
        "TCP6" => addresses::<Ipv6Addr>(&mut fields)?,
        _ => return None,
    };
    let mut are_ports = true;
    for _ in 0..2 {
        let port = fields.next()?;
        are_ports &= port.parse::<u16>().is_ok_and(|number| number.to_string() == port);
    }
    (are_ports && fields.next().is_none()).then_some(client)
}

/// Reads the client's address, and looks at that of the proxy.
fn addresses<'t, A: FromStr + Into<IpAddr>>(fields: &mut impl Iterator<Item = &'t str>) -> Option<ProxyHeader> {
    let source: A = fields.next()?.parse().ok()?;
    fields.next()?.parse::<A>().ok()?;
    Some(client(source))
}

fn client(address: impl Into<IpAddr>) -> ProxyHeader {
    ProxyHeader::Client(address.into().to_canonical())
}

#[cfg(test)]
mod tests {
    use super::{ProxyHeader, SIGNATURE, binary, read, text};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    fn client(address: &str) -> Option<ProxyHeader> {
        Some(ProxyHeader::Client(address.parse().unwrap()))
    }

    #[test]
    fn lines_name_clients() {
        assert_eq!(text(b"PROXY TCP4 1.2.3.4 5.6.7.8 1 65535\r\n"), client("1.2.3.4"));
        assert_eq!(text(b"PROXY TCP6 2001:db8::1 ::1 443 0\r\n"), client("2001:db8::1"));
        assert_eq!(text(b"PROXY TCP6 ::ffff:1.2.3.4 ::1 443 80\r\n"), client("1.2.3.4"));
        assert_eq!(text(b"PROXY UNKNOWN\r\n"), Some(ProxyHeader::Unnamed));
        assert_eq!(text(b"PROXY UNKNOWN anything at all\r\n"), Some(ProxyHeader::Unnamed));
        for line in [
            "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n",
            "PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n",
            "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n",
            "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n",
            "PROXY TCP4  1.2.3.4 5.6.7.8 1 2\r\n",
            "PROXY TCP4 1.2.3.4 5.6.7.8 01 2\r\n",
            "PROXY TCP4 1.2.3.4 5.6.7.8 +1 2\r\n",
            "PROXY TCP4 1.2.3.4 5.6.7.8 65536 2\r\n",
            "PROXY TCP4 1.2.3.04 5.6.7.8 1 2\r\n",
            "PROXY TCP4 ::1 ::1 1 2\r\n",
            "PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n",
            "PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n",
            "PROXY UNKNOWNS\r\n",
            "PROXY UDP4 1.2.3.4 5.6.7.8 1 2\r\n",
            "PROXY tcp4 1.2.3.4 5.6.7.8 1 2\r\n",
            "PROXY \r\n",
        ] {
            assert_eq!(text(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn bytes_name_clients() {
        let four = [&[1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 2][..], &[4, 0, 1, 9]].concat();
        let six = [&[0x20, 1, 0xd, 0xb8][..], &[0; 11], &[1], &[0; 20]].concat();
        assert_eq!(binary(0x21, 0x11, &four[..12]), client("1.2.3.4"));
        assert_eq!(binary(0x21, 0x11, &four), client("1.2.3.4"));
        assert_eq!(binary(0x21, 0x21, &six), client("2001:db8::1"));
        assert_eq!(binary(0x20, 0x00, b""), Some(ProxyHeader::Unnamed));
        assert_eq!(binary(0x20, 0x11, &four), Some(ProxyHeader::Unnamed));
        assert_eq!(binary(0x21, 0x00, b""), Some(ProxyHeader::Unnamed));
        for (command, family, rest) in [
            (0x11, 0x11, &four[..]),
            (0x22, 0x11, &four),
            (0x21, 0x12, &four),
            (0x21, 0x31, &four),
            (0x21, 0x11, &four[..11]),
            (0x21, 0x11, &four[..13]),
            (0x21, 0x11, &four[..15]),
            (0x21, 0x21, &six[..35]),
        ] {
            assert_eq!(binary(command, family, rest), None, "{command:x} {family:x} {rest:?}");
        }
    }

    #[tokio::test]
    async fn no_byte_behind_a_header_is_taken() {
        let four = [&SIGNATURE[..], &[0x21, 0x11, 0, 12, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 2]].concat();
        let line = b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n".to_vec();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        for header in [four, line] {
            for split in 0..header.len() {
                let mut sender = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
                sender.set_nodelay(true).unwrap();
                let (mut stream, _) = listener.accept().await.unwrap();
                let (first, rest) = header.split_at(split);
                sender.write_all(first).await.unwrap();
                let reading = tokio::spawn(async move { (read(&mut stream).await, stream) });
                tokio::task::yield_now().await;
                sender.write_all(&[rest, b"GET\n"].concat()).await.unwrap();
                let (read, mut stream) = reading.await.unwrap();
                assert_eq!(read.ok(), client("1.2.3.4"));
                let mut next = [0; 4];
                stream.read_exact(&mut next).await.unwrap();
                assert_eq!(&next, b"GET\n");
            }
        }
    }
}
