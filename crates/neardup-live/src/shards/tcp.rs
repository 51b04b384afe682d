//! An exchange by sockets. The shards of an index are processes, on one machine or on several that trust each other.
//!
//! The first shard listens, and the others connect to it. In a round it reads their messages one after another, and sends all
//! messages to each.

use crate::mutex::lock;
use crate::shards::exchange::Exchange;
use crate::shards::shard::Shard;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::io::{BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a shard checks for connections of others.
const LOOK: Duration = Duration::from_millis(20);
/// Maximum length of a message, in bytes. A longer one does not come from a shard.
const LONGEST: u64 = 1 << 32;

/// The connections of one shard with others.
pub struct TcpExchange {
    shard: Shard,
    address: String,
    timeout: Duration,
    /// The connections; `None` after a shard left.
    lines: Mutex<Option<Vec<ShardConnection>>>,
}

/// The first message of each side of a connection: the shard that sends it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ShardGreeting {
    neardup: String,
    shard: Shard,
}

/// A connection with another shard.
struct ShardConnection {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    /// Number of messages that the other side sends in response to one.
    shards: u32,
}

impl TcpExchange {
    /// Connects with the other shards at `address` (host:port), where the first shard listens. Waits up to `timeout` for them.
    ///
    /// # Errors
    /// [`Error::Usage`] for an invalid address, and for shards that do not connect in time or belong to another index.
    pub fn meet(shard: &Shard, address: &str, timeout: Duration) -> Result<TcpExchange> {
        let exchange = TcpExchange { shard: shard.clone(), address: address.to_owned(), timeout, lines: Mutex::new(None) };
        exchange.rejoin().map(|()| exchange)
    }
}

impl Exchange for TcpExchange {
    fn leave(&self) {
        // A shard that is gone needs no message.
        let lines = lock(&self.lines).take();
        lines.iter().flatten().for_each(|line| drop(line.stream.shutdown(Shutdown::Both)));
    }

    fn rejoin(&self) -> Result<()> {
        let (TcpExchange { shard, address, .. }, until) = (self, Instant::now() + self.timeout);
        let mut lines = lock(&self.lines);
        if lines.is_none() {
            *lines = Some(if shard.number == 0 { listen(shard, address, until)? } else { vec![call(shard, address, until)?] });
        }
        Ok(())
    }

    fn gather(&self, own: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>> {
        let mut lines = lock(&self.lines);
        let Some(lines) = &mut *lines else { return Err(Error::Left(String::new())) };
        let received = if self.shard.number == 0 { receive_all(lines, own) } else { send(lines, &own) };
        received.map(Arc::new).map_err(|error| Error::Left(format!(" ({error})")))
    }
}

fn receive_all(lines: &mut [ShardConnection], own: Vec<u8>) -> std::io::Result<Vec<Vec<u8>>> {
    let mut messages = vec![own];
    for line in &mut *lines {
        messages.push(line.read()?);
    }
    let all: Vec<u8> = messages.iter().flat_map(|one| framed(one)).collect();
    lines.iter_mut().try_for_each(|line| line.stream.write_all(&all))?;
    Ok(messages)
}

fn send(lines: &mut [ShardConnection], own: &[u8]) -> std::io::Result<Vec<Vec<u8>>> {
    let hub = &mut lines[0];
    hub.write(own)?;
    // Both sides agreed on the number of shards when they connected.
    (0..hub.shards).map(|_| hub.read()).collect()
}

/// Returns the bytes of a message as it is sent: its length, then the message itself.
fn framed(message: &[u8]) -> Vec<u8> {
    [&(message.len() as u64).to_le_bytes(), message].concat()
}

fn listen(shard: &Shard, address: &str, until: Instant) -> Result<Vec<ShardConnection>> {
    let refused = |error: std::io::Error| Error::Usage(format!("peers: cannot listen at {address}: {error}"));
    let listener = TcpListener::bind(address).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    let mut lines: Vec<Option<ShardConnection>> = (0..shard.of).map(|_| None).collect();
    while lines[1..].iter().any(Option::is_none) {
        match listener.accept() {
            Ok((stream, _)) => {
                // A caller that is not one of the shards is rejected, and no shard waits for it.
                if let Ok((shard, line)) = greet(shard, stream)
                    && lines[shard as usize].is_none()
                {
                    lines[shard as usize] = Some(line);
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < until => thread::sleep(LOOK),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let missing = (1..).zip(&lines[1..]).filter(|(_, line)| line.is_none()).map(|(shard, _)| u32::to_string(&shard));
                let missing = missing.collect::<Vec<_>>().join(", ");
                return Err(Error::Usage(format!("peers: shards {missing} of {} did not connect to {address}", shard.of)));
            }
            Err(error) => return Err(refused(error)),
        }
    }
    Ok(lines.into_iter().flatten().collect())
}

/// Receives which shard is calling, and replies with this shard.
fn greet(shard: &Shard, stream: TcpStream) -> std::io::Result<(u32, ShardConnection)> {
    let mut line = ShardConnection::new(stream)?;
    line.stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let hello: ShardGreeting = serde_json::from_slice(&line.read()?)?;
    line.write(&serde_json::to_vec(&ShardGreeting::of(shard))?)?;
    if !hello.fits(shard) || hello.shard.number == 0 {
        return Err(ErrorKind::InvalidData.into());
    }
    line.stream.set_read_timeout(None)?;
    Ok((hello.shard.number, line))
}

/// Calls the first shard until it answers. It may start later, and another process may use the address until then.
fn call(shard: &Shard, address: &str, until: Instant) -> Result<ShardConnection> {
    loop {
        match knock(shard, address, until) {
            Ok((line, answer)) => return admitted(shard, address, &answer).map(|()| line),
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(not_a_shard(address)),
            Err(_) if Instant::now() < until => thread::sleep(LOOK),
            Err(error) => return Err(Error::Usage(format!("peers: shard 0 does not answer at {address}: {error}"))),
        }
    }
}

/// Sends which shard is calling, and receives the reply.
fn knock(shard: &Shard, address: &str, until: Instant) -> std::io::Result<(ShardConnection, Vec<u8>)> {
    let stream = TcpStream::connect(address)?;
    // If no shard listens yet, the kernel may connect a socket with itself.
    if stream.local_addr()? == stream.peer_addr()? {
        return Err(ErrorKind::ConnectionRefused.into());
    }
    let mut line = ShardConnection { shards: shard.of, ..ShardConnection::new(stream)? };
    line.stream.set_read_timeout(Some(until.saturating_duration_since(Instant::now()).max(LOOK)))?;
    line.write(&serde_json::to_vec(&ShardGreeting::of(shard))?)?;
    let answer = line.read()?;
    line.stream.set_read_timeout(None)?;
    Ok((line, answer))
}

/// Checks that the reply comes from the first shard of this index.
fn admitted(shard: &Shard, address: &str, answer: &[u8]) -> Result<()> {
    match serde_json::from_slice::<ShardGreeting>(answer) {
        Ok(hello) if hello.fits(shard) && hello.shard.number == 0 => Ok(()),
        Ok(hello) => Err(Error::Usage(format!(
            "peers: at {address} is shard {} of {} of index {}, by neardup {}; this is shard {} of {} of index {}, by {}",
            hello.shard.number,
            hello.shard.of,
            hello.shard.index.as_str(),
            hello.neardup,
            shard.number,
            shard.of,
            shard.index.as_str(),
            env!("CARGO_PKG_VERSION")
        ))),
        Err(_) => Err(not_a_shard(address)),
    }
}

fn not_a_shard(address: &str) -> Error {
    Error::Usage(format!("peers: what is at {address} is no shard of an index"))
}

impl ShardGreeting {
    fn of(shard: &Shard) -> ShardGreeting {
        ShardGreeting { neardup: env!("CARGO_PKG_VERSION").to_owned(), shard: shard.clone() }
    }

    /// Whether it comes from a shard of the same index, with the same version of neardup.
    fn fits(&self, shard: &Shard) -> bool {
        let is_shard = (&self.shard.index, self.shard.of) == (&shard.index, shard.of) && self.shard.number < shard.of;
        is_shard && self.neardup == env!("CARGO_PKG_VERSION")
    }
}

impl ShardConnection {
    fn new(stream: TcpStream) -> std::io::Result<ShardConnection> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        Ok(ShardConnection { reader: BufReader::new(stream.try_clone()?), stream, shards: 1 })
    }

    fn write(&mut self, message: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(&framed(message))
    }

    fn read(&mut self) -> std::io::Result<Vec<u8>> {
        let mut length = [0; 8];
        self.reader.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST {
            return Err(ErrorKind::InvalidData.into());
        }
        // Memory grows with the received bytes: a large length alone allocates none.
        let mut message = Vec::new();
        let read = self.reader.by_ref().take(length).read_to_end(&mut message)?;
        if read as u64 == length { Ok(message) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shards::peers::Shards;
    use crate::shards::topic::Topic;
    use crate::storage::identity::Identity;
    use std::path::Path;

    fn all_shards(of: u32) -> Vec<Shard> {
        let index = Identity::draw(Path::new("")).unwrap();
        (0..of).map(|number| Shard { index: index.clone(), number, of }).collect()
    }

    fn free_address() -> String {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
    }

    /// Runs `work` for every shard at once, after they have connected.
    fn at_once(of: u32, work: impl Fn(&Shard, TcpExchange) + Sync) {
        let (all_shards, address) = (all_shards(of), free_address());
        let meet = |shard| work(shard, TcpExchange::meet(shard, &address, Duration::from_secs(30)).unwrap());
        thread::scope(|scope| all_shards.iter().for_each(|shard| drop(scope.spawn(move || meet(shard)))));
    }

    #[test]
    fn everybody_hears_everybody() {
        at_once(4, |shard, wire| {
            for round in 0..100u32 {
                let received = wire.gather(vec![shard.number as u8; round as usize]).unwrap();
                assert_eq!(*received, (0..4u8).map(|shard| vec![shard; round as usize]).collect::<Vec<_>>());
            }
        });
    }

    #[test]
    fn who_is_gone_is_missed() {
        let (all_shards, address) = (all_shards(2), free_address());
        thread::scope(|scope| {
            let (hub, spoke) = (&all_shards[0], &all_shards[1]);
            let waiting = scope.spawn(|| TcpExchange::meet(hub, &address, Duration::from_secs(30)).unwrap().gather(Vec::new()));
            drop(TcpExchange::meet(spoke, &address, Duration::from_secs(30)).unwrap());
            assert!(waiting.join().unwrap().is_err());
        });
    }

    #[test]
    fn who_goes_amid_a_step_keeps_nobody_waiting() {
        at_once(3, |shard, wire| {
            let shards = Shards::new(Some(shard.clone()), Some(Arc::new(wire)));
            // The last shard leaves. The first has the second one's message by then, and the second must not wait for its reply.
            let rounds = if shard.number == 2 { 3 } else { 6 };
            (0..rounds).for_each(|round| drop(shards.gather(Topic::Count, vec![round])));
            assert_eq!(shards.fault().is_err(), shard.number != 2);
        });
    }

    #[test]
    fn who_left_comes_back_to_the_same_place() {
        at_once(3, |shard, wire| {
            let shards = Shards::new(Some(shard.clone()), Some(Arc::new(wire)));
            for round in 0..5 {
                // One of the shards leaves before it sends anything.
                if shard.number == round % 3 {
                    shards.leave();
                } else {
                    shards.gather(Topic::Count, vec![1]);
                    assert!(matches!(shards.fault(), Err(Error::Left(_))));
                }
                shards.rejoin().unwrap();
                assert_eq!(shards.gather(Topic::Count, vec![1]), [1; 3]);
                shards.end().unwrap();
            }
        });
    }

    #[test]
    fn a_peer_that_is_no_shard_is_an_error() {
        let shard = &all_shards(2)[1];
        for (message, timeout, expected) in [
            (&b"HTTP/1.1 400 Bad Request"[..], 30_000, "is no shard of an index"),
            (&framed(b"{}"), 30_000, "is no shard of an index"),
            (b"", 100, "does not answer at"),
        ] {
            let other = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = other.local_addr().unwrap().to_string();
            thread::scope(|scope| {
                let calling = scope.spawn(|| TcpExchange::meet(shard, &address, Duration::from_millis(timeout)).err().unwrap());
                let (mut stream, _) = other.accept().unwrap();
                stream.write_all(message).unwrap();
                let why = calling.join().unwrap().to_string();
                assert!(why.contains(expected), "{why}");
            });
        }
    }

    #[test]
    fn who_is_sent_away_comes_again() {
        let (all_shards, address) = (all_shards(2), free_address());
        let other = TcpListener::bind(&address).unwrap();
        thread::scope(|scope| {
            let calling = scope.spawn(|| TcpExchange::meet(&all_shards[1], &address, Duration::from_secs(30)).map(drop));
            drop(other.accept().unwrap());
            drop(other);
            TcpExchange::meet(&all_shards[0], &address, Duration::from_secs(30)).unwrap();
            calling.join().unwrap().unwrap();
        });
    }

    #[test]
    fn strangers_are_turned_away_and_the_missing_are_named() {
        let (ours, theirs, address) = (all_shards(3), all_shards(3), free_address());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| TcpExchange::meet(&ours[0], &address, Duration::from_millis(600)));
            let refused = TcpExchange::meet(&theirs[1], &address, Duration::from_secs(30)).err().unwrap().to_string();
            assert!(refused.contains("is shard 0 of 3 of index"), "{refused}");
            let missed = waiting.join().unwrap().err().unwrap().to_string();
            assert!(missed.starts_with("peers: shards 1, 2 of 3 did not connect to"), "{missed}");
        });
        let nobody = TcpExchange::meet(&ours[1], &address, Duration::ZERO).err().unwrap().to_string();
        assert!(nobody.starts_with("peers: shard 0 does not answer at"), "{nobody}");
    }
}
