//! Admission: requests of tenants with their share are refused before their work, once others wait for what is in use.
//! Work that no request waits for goes behind requests.

use database::{ReadCost, Store, Tx};
use platform::tenants::Settings;
use serde_json::json;
use spec::spec;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use testing::{Engine, Server};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The age from which on a job that waits is late.
const LATE: Duration = Duration::from_secs(1);

/// A gate that long reads wait at.
#[derive(Clone, Default)]
struct ReadGate(Arc<(Mutex<bool>, Condvar)>);

/// The long reads of a tenant.
struct LongReads {
    store: Store,
    gate: ReadGate,
    reads: JoinSet<model::error::Result<()>>,
}

impl ReadGate {
    fn open(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        let open = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.1.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
    }
}

impl LongReads {
    /// Has a tenant's share be in use by a read, and one more wait behind it.
    async fn begin(server: &Server, gate: &ReadGate) -> Self {
        let store = server.operate(|tenant| Ok(tenant.store().clone())).await;
        let mut long = LongReads { store, gate: gate.clone(), reads: JoinSet::new() };
        let (begun, told) = tokio::sync::oneshot::channel();
        let mut begun = Some(begun);
        long.read(move || _ = begun.take().map(|begun| begun.send(())));
        told.await.unwrap();
        long.read(|| {});
        long
    }

    fn read(&mut self, mut begun: impl FnMut() + Send + 'static) {
        let (store, gate) = (self.store.clone(), self.gate.clone());
        self.reads.spawn(async move {
            let job = move |_: &mut Tx<'_>| {
                begun();
                gate.pass();
                Ok::<_, model::error::Error>(())
            };
            store.read(ReadCost::Scan, job).await
        });
    }
}

async fn refused(server: &Server) -> u64 {
    server.operate(|tenant| Ok(tenant.figures().refused.get())).await
}

#[spec("E-224")]
async fn a_tenant_with_its_share_is_refused_while_others_wait_and_none_below_it(engine: Engine) {
    let own = vec![("data.readers", "2"), ("data.connections", "4")];
    let settings = Settings { address_rate: None, ..Settings::default() };
    let greedy = Server::settled(engine, settings, own, &[]).await;
    let (other, quiet) = (greedy.tenant("other").await, greedy.tenant("quiet").await);
    let (admin, gate) = (greedy.admin(), ReadGate::default());
    let path = format!("collection/article/{}", admin.create("article", json!({"name": "a"})).await["id"]);
    let theirs = format!("collection/article/{}", quiet.admin().create("article", json!({"name": "a"})).await["id"]);
    let login = greedy.login("reader").await;
    let mut long = LongReads::begin(&greedy, &gate).await;
    let began = Instant::now();
    while began.elapsed() <= LATE {
        tokio::time::sleep(LATE / 10).await;
    }
    // Alone it is not refused.
    admin.get(&path).await.is(200);
    let others = LongReads::begin(&other, &gate).await;
    // A read that comes tells how long those before it wait.
    while !long.store.refuses_requests() {
        long.read(|| {});
        tokio::time::sleep(LATE / 10).await;
    }
    let reply = admin.get(&path).await.is(503).says("this tenant has its share");
    assert_eq!((reply.header("x-error-code"), reply.header("retry-after")), ("busy", "2"));
    admin.post("collection/article", json!({"name": "b"})).await.is(503);
    assert_eq!((refused(&greedy).await, refused(&other).await, refused(&quiet).await), (2, 0, 0));
    // Health, accounts and administration are none of the work that is refused.
    greedy.client().get("/healthz").await.is(200);
    admin.get("app/user.current").await.is(200);
    // A sign-in waits behind the tenant's own reads at most.
    let client = greedy.client();
    let sign_in =
        tokio::spawn(
            async move { client.post_form("auth", &[("user", &login.user), ("password", &login.password)]).await },
        );
    assert_eq!(refused(&greedy).await, 2);
    quiet.admin().get(&theirs).await.is(200);
    quiet.admin().patch(&theirs, json!({"name": "c"})).await.is(200);
    gate.open();
    for mut reads in [long.reads, others.reads] {
        while let Some(done) = reads.join_next().await {
            // On a busy machine its time may be over.
            let _ = done.unwrap();
        }
    }
    sign_in.await.unwrap().is(200);
    admin.get(&path).await.is(200);
    assert_eq!((refused(&greedy).await, refused(&quiet).await), (2, 0));
}

#[spec("E-225")]
async fn background_work_goes_behind_nine_turns_of_requests(engine: Engine) {
    let settings = Settings { address_rate: None, ..Settings::default() };
    let server = Server::settled(engine, settings, vec![("data.connections", "1")], &[]).await;
    let store = server.operate(|tenant| Ok(tenant.store().clone())).await;
    let (gate, order) = (ReadGate::default(), Arc::new(Mutex::new(Vec::new())));
    let write = |store: Store, name: &'static str| {
        let (gate, order) = (gate.clone(), Arc::clone(&order));
        let job = move |_: &mut Tx<'_>| {
            gate.pass();
            order.lock().unwrap().push(name);
            Ok::<_, model::error::Error>(())
        };
        Box::pin(async move { store.write(job).await })
    };
    let mut writes = vec![write(store.clone(), "first")];
    writes.extend((0..2).map(|_| write(store.in_background(), "background")));
    writes.extend((0..30).map(|_| write(store.clone(), "request")));
    for write in &mut writes {
        // It is in its queue then.
        assert!(timeout(Duration::ZERO, write).await.is_err());
    }
    gate.open();
    for write in writes {
        write.await.unwrap();
    }
    let order = order.lock().unwrap();
    let places: Vec<usize> = (0..order.len()).filter(|place| order[*place] == "background").collect();
    assert_eq!((order.len(), places.len()), (33, 2));
    assert!(places[1] > 9, "{order:?}");
}
