//! The queue of write requests. One of the callers writes for all that are waiting.

use crate::decide::verdict::{Admission, Removal};
use crate::documents::document::Document;
use crate::documents::signed::SignedText;
use crate::mutex::lock;
use crate::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A write request.
pub enum Request {
    /// Adds documents.
    Add {
        /// The documents.
        documents: Vec<Document>,
        /// Digests and keys of each document.
        signed: Vec<SignedText>,
        /// The time, in Unix seconds.
        now: i64,
    },
    /// Removes documents, by id.
    Remove(Vec<String>),
    /// Removes documents that are too old or too many.
    Expire {
        /// The time, in Unix seconds.
        now: i64,
    },
    /// Merges everything into one segment.
    Compact,
}

impl Request {
    /// Returns a digest of the request without its time.
    pub fn digest(&self) -> Result<[u8; 32]> {
        let bytes = match self {
            Request::Add { documents, .. } => serde_json::to_vec(&("add", documents)),
            Request::Remove(ids) => serde_json::to_vec(&("remove", ids)),
            Request::Expire { .. } => serde_json::to_vec("expire"),
            Request::Compact => serde_json::to_vec("compact"),
        };
        Ok(*blake3::hash(&bytes.map_err(|error| Error::Data(error.to_string()))?).as_bytes())
    }

    /// Returns the time of the request, in Unix seconds, if it has one.
    pub fn time(&mut self) -> Option<&mut i64> {
        match self {
            Request::Add { now, .. } | Request::Expire { now } => Some(now),
            Request::Remove(_) | Request::Compact => None,
        }
    }
}

/// The answer to a request.
pub enum RequestAnswer {
    /// The result for each added document.
    Added(Vec<Admission>),
    /// The result of removing documents.
    Removed(Removal),
    /// Everything was merged into one segment.
    Compacted,
}

/// The waiting requests, while one of the callers writes.
#[derive(Default)]
pub struct Queue(Mutex<QueueState>);

#[derive(Default)]
struct QueueState {
    /// Whether a caller has the turn.
    is_served: bool,
    waiting: Vec<Arc<Ticket>>,
}

/// A request with its answer.
struct Ticket {
    request: Mutex<Option<Request>>,
    state: Mutex<TicketState>,
    changed: Condvar,
}

/// The message to the waiting caller.
enum TicketState {
    Nothing,
    Turn,
    Answer(Result<RequestAnswer>),
}

/// The outcome of waiting.
pub enum QueueOutcome<'a> {
    /// Another caller answered the request.
    Answered(Result<RequestAnswer>),
    /// The caller has the turn to answer all waiting requests, including its own.
    Turn(WriterTurn<'a>),
}

/// The turn to answer requests. Only one caller has it. When it is dropped, the next caller gets it.
pub struct WriterTurn<'a> {
    queue: &'a Queue,
    own: Arc<Ticket>,
    tickets: Vec<Arc<Ticket>>,
}

impl Queue {
    /// Waits until the request is answered, or until the caller has the turn. The caller of an answered request returns at once and
    /// never delays the next turn.
    pub fn join(&self, request: Request) -> QueueOutcome<'_> {
        let own = Arc::new(Ticket { request: Mutex::new(Some(request)), state: Mutex::new(TicketState::Nothing), changed: Condvar::new() });
        {
            let mut line = lock(&self.0);
            line.waiting.push(Arc::clone(&own));
            if !std::mem::replace(&mut line.is_served, true) {
                own.set_state(TicketState::Turn);
            }
        }
        match own.wait_for_state() {
            TicketState::Answer(answer) => QueueOutcome::Answered(answer),
            _ => QueueOutcome::Turn(WriterTurn { queue: self, own, tickets: std::mem::take(&mut lock(&self.0).waiting) }),
        }
    }
}

impl WriterTurn<'_> {
    /// Returns the requests, in order. Each is returned only once.
    pub fn requests(&self) -> Vec<Request> {
        self.tickets.iter().filter_map(|ticket| lock(&ticket.request).take()).collect()
    }

    /// Answers all requests, in order, and returns the answer to the caller's own.
    pub fn answer(mut self, answers: Vec<Result<RequestAnswer>>) -> Result<RequestAnswer> {
        self.tickets.drain(..).zip(answers).for_each(|(ticket, answer)| ticket.set_state(TicketState::Answer(answer)));
        match self.own.wait_for_state() {
            TicketState::Answer(answer) => answer,
            _ => Err(unanswered()),
        }
    }
}

impl Drop for WriterTurn<'_> {
    fn drop(&mut self) {
        // Tickets are left only if the thread with the turn panicked.
        self.tickets.iter().for_each(|ticket| ticket.set_state(TicketState::Answer(Err(unanswered()))));
        let mut line = lock(&self.queue.0);
        match line.waiting.first() {
            Some(next) => next.set_state(TicketState::Turn),
            None => line.is_served = false,
        }
    }
}

impl Ticket {
    fn set_state(&self, state: TicketState) {
        *lock(&self.state) = state;
        self.changed.notify_one();
    }

    /// Waits for a message.
    fn wait_for_state(&self) -> TicketState {
        let quiet = |state: &mut TicketState| matches!(state, TicketState::Nothing);
        let mut state = self.changed.wait_while(lock(&self.state), quiet).unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut state, TicketState::Nothing)
    }
}

fn unanswered() -> Error {
    Error::Usage("the request was not answered".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    /// A request that can be identified by its number.
    fn request(now: i64) -> Request {
        Request::Expire { now }
    }

    fn echo(request: Request) -> Result<RequestAnswer> {
        match request {
            Request::Expire { now } => Err(Error::Data(now.to_string())),
            _ => Ok(RequestAnswer::Compacted),
        }
    }

    fn message(answer: Result<RequestAnswer>) -> String {
        answer.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn everybody_is_answered_one_turn_at_a_time() {
        let (queue, at_work) = (Queue::default(), AtomicUsize::new(0));
        let ask = |thread: i64| {
            for number in 0..200 {
                let answer = match queue.join(request(thread * 1000 + number)) {
                    QueueOutcome::Answered(answer) => answer,
                    QueueOutcome::Turn(turn) => {
                        assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        let answers = turn.requests().into_iter().map(echo).collect();
                        assert_eq!(at_work.fetch_sub(1, Ordering::SeqCst), 1);
                        turn.answer(answers)
                    }
                };
                assert_eq!(message(answer), (thread * 1000 + number).to_string());
            }
        };
        thread::scope(|scope| (0..8).for_each(|thread| drop(scope.spawn(move || ask(thread)))));
        assert!(matches!(queue.join(request(0)), QueueOutcome::Turn(_)));
    }

    #[test]
    fn who_waits_for_a_turn_that_breaks_off_is_told() {
        let queue = Queue::default();
        let QueueOutcome::Turn(first) = queue.join(request(1)) else { panic!("no request is before the first") };
        thread::scope(|scope| {
            let others: Vec<_> = (2..5)
                .map(|number| {
                    scope.spawn({
                        let queue = &queue;
                        move || match queue.join(request(number)) {
                            QueueOutcome::Answered(answer) => message(answer),
                            // As if the thread had panicked.
                            QueueOutcome::Turn(turn) => {
                                drop(turn);
                                "broken off".to_owned()
                            }
                        }
                    })
                })
                .collect();
            while lock(&queue.0).waiting.len() < others.len() {
                thread::yield_now();
            }
            drop(first);
            let mut all: Vec<String> = others.into_iter().map(|other| other.join().unwrap()).collect();
            all.sort();
            assert_eq!(all, ["broken off", "the request was not answered", "the request was not answered"]);
        });
        assert!(matches!(queue.join(request(6)), QueueOutcome::Turn(_)));
    }
}
