//! What every history is like, in SMT-LIB.

/// Transactions, keys, writes, reads, sessions and times.
pub(super) const HISTORY: &str = "\
(set-logic ALL)
(declare-sort Txn 0)
(declare-sort Key 0)
; the transaction that wrote the initial state
(declare-const init Txn)
(declare-fun writes (Txn Key) Bool)
; (wr s t x): t reads the version of x that s wrote
(declare-fun wr (Txn Txn Key) Bool)
(declare-fun so (Txn Txn) Bool)
(declare-fun rt (Txn Txn) Bool)
(declare-fun cc (Txn Txn) Bool)
(declare-fun bc (Txn Txn) Bool)
(declare-fun promised1 (Txn) Bool)
(declare-fun promised2 (Txn) Bool)
(declare-fun promised3 (Txn) Bool)
(declare-fun promised4 (Txn) Bool)
(define-fun reads ((t Txn) (x Key)) Bool (exists ((s Txn)) (wr s t x)))
(define-fun writer ((t Txn)) Bool (exists ((x Key)) (writes t x)))
(define-fun reader ((t Txn)) Bool (exists ((s Txn) (x Key)) (wr s t x)))

; the initial transaction writes every key and reads none
(assert (forall ((x Key)) (writes init x)))
(assert (forall ((s Txn) (x Key)) (not (wr s init x))))
; a version that is read was written, by another transaction; a key is read once
(assert (forall ((s Txn) (t Txn) (x Key)) (=> (wr s t x) (and (writes s x) (not (= s t))))))
(assert (forall ((r Txn) (s Txn) (t Txn) (x Key)) (=> (and (wr r t x) (wr s t x)) (= r s))))

; a session is a chain, after the initial transaction
(assert (forall ((t Txn)) (= (so init t) (not (= t init)))))
(assert (forall ((t Txn)) (not (so t t))))
(assert (forall ((t Txn)) (not (so t init))))
(assert (forall ((r Txn) (s Txn) (t Txn)) (=> (and (so r s) (so s t)) (so r t))))
(assert (forall ((r Txn) (s Txn) (t Txn))
  (=> (and (so r t) (so s t) (not (= r init)) (not (= s init)))
      (or (so r s) (so s r) (= r s)))))
(assert (forall ((r Txn) (s Txn) (t Txn))
  (=> (and (so t r) (so t s) (not (= t init))) (or (so r s) (so s r) (= r s)))))

; real time is an interval order, after the initial transaction
(assert (forall ((t Txn)) (= (rt init t) (not (= t init)))))
(assert (forall ((t Txn)) (not (rt t t))))
(assert (forall ((t Txn)) (not (rt t init))))
(assert (forall ((a Txn) (b Txn) (c Txn) (d Txn))
  (=> (and (rt a b) (rt c d)) (or (rt a d) (rt c b)))))

; commits come one after the other as far as the clock tells
(assert (forall ((t Txn)) (= (cc init t) (not (= t init)))))
(assert (forall ((t Txn)) (not (cc t t))))
(assert (forall ((t Txn)) (not (cc t init))))
(assert (forall ((r Txn) (s Txn) (t Txn)) (=> (and (cc r s) (cc s t)) (cc r t))))
(assert (forall ((t Txn)) (= (bc init t) (not (= t init)))))
(assert (forall ((t Txn)) (not (bc t init))))

; a transaction that was promised a level was promised every weaker one
(assert (forall ((t Txn)) (=> (promised4 t) (promised3 t))))
(assert (forall ((t Txn)) (=> (promised3 t) (promised2 t))))
(assert (forall ((t Txn)) (=> (promised2 t) (promised1 t))))
";

/// Single reads, for levels that speak of them.
pub(super) const READS: &str = "\
; a read is the only one of its key by its transaction
(declare-sort Read 0)
(declare-fun of (Read) Txn)
(declare-fun item (Read) Key)
(declare-fun po (Read Read) Bool)
(assert (forall ((p Read) (q Read)) (=> (and (= (of p) (of q)) (= (item p) (item q))) (= p q))))
(assert (forall ((p Read)) (reads (of p) (item p))))
(assert (forall ((t Txn) (x Key))
  (=> (reads t x) (exists ((p Read)) (and (= (of p) t) (= (item p) x))))))
; the reads of one transaction come one after the other
(assert (forall ((p Read)) (not (po p p))))
(assert (forall ((p Read) (q Read)) (=> (po p q) (= (of p) (of q)))))
(assert (forall ((p Read) (q Read) (r Read)) (=> (and (po p q) (po q r)) (po p r))))
(assert (forall ((p Read) (q Read)) (=> (= (of p) (of q)) (or (= p q) (po p q) (po q p)))))
";

/// What holds besides if the begin and commit of every transaction were recorded and sessions do one thing
/// after the other.
pub(super) const TIMES: &str = "\
; all times are known: `instant` of begins and commits
(declare-fun begin (Txn) Int)
(declare-fun commit (Txn) Int)
(assert (forall ((t Txn)) (or (= t init) (< (begin t) (commit t)))))
(assert (forall ((t Txn)) (or (= t init) (< (commit init) (begin t)))))
(assert (forall ((s Txn) (t Txn)) (=> (= (commit s) (commit t)) (= s t))))
(assert (forall ((s Txn) (t Txn)) (not (= (commit s) (begin t)))))
(assert (forall ((s Txn) (t Txn))
  (=> (not (= s t)) (= (rt s t) (and (not (= t init)) (< (commit s) (begin t)))))))
(assert (forall ((s Txn) (t Txn)) (=> (not (= s t)) (= (cc s t) (< (commit s) (commit t))))))
(assert (forall ((s Txn) (t Txn))
  (=> (not (= s t)) (= (bc s t) (and (not (= t init)) (or (= s init) (< (begin s) (commit t))))))))
(assert (forall ((s Txn) (t Txn)) (=> (so s t) (rt s t))))
";
