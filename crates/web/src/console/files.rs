//! The files of the console, as `console/embed.mjs` lists them after each build. Not edited by hand.

use super::ConsoleFile;

macro_rules! file {
    ($name:literal, $media_type:literal) => {
        ConsoleFile {
            name: $name,
            media_type: $media_type,
            brotli: include_bytes!(concat!("../../../../console/dist/", $name, ".br")),
            gzip: include_bytes!(concat!("../../../../console/dist/", $name, ".gz")),
        }
    };
}

/// The page of all places.
pub(super) const PAGE: &str = r##"<!doctype html>
<html lang="en">
    <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        <link rel="icon" type="image/svg+xml" href="{root}console/icon-dof30kui.svg" />
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-eu3wdq0r.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-m5ac0lfv.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 123] = [
    file!("Account-hdnrtyx7.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-i7euul5g.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-k2ew22iv.js", "text/javascript; charset=utf-8"),
    file!("Board-h4uih4nd.css", "text/css; charset=utf-8"),
    file!("Board-hrz98k79.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-hajoslfj.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-lgmbpy57.css", "text/css; charset=utf-8"),
    file!("Bulk-cdxvduq2.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-ool7jv3z.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-c2msap3w.css", "text/css; charset=utf-8"),
    file!("CardBar-gy2i1n0y.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-e7t03aq1.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-hn1kqhhs.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-kp1ofx8t.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-o1i72821.js", "text/javascript; charset=utf-8"),
    file!("Commands-ixtsrjls.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-ma4kqca5.js", "text/javascript; charset=utf-8"),
    file!("Dialog-cmvbyon3.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("EditHint-orsw5l15.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-sue6kafv.js", "text/javascript; charset=utf-8"),
    file!("Export-joeu3zml.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-c5jaxgdn.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-lzy180j8.js", "text/javascript; charset=utf-8"),
    file!("FileField-jf53uljg.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-f2cq90ob.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-n2v7fsyp.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-nh9583ta.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-ir5m3vhq.js", "text/javascript; charset=utf-8"),
    file!("Import-fx696886.js", "text/javascript; charset=utf-8"),
    file!("Import-g6nuj39q.css", "text/css; charset=utf-8"),
    file!("Inbox-576xoquc.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("JobProgress-ccpvkeaw.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-ops12dr8.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-ncvd37bc.js", "text/javascript; charset=utf-8"),
    file!("JsonField-ejq5ih5x.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-lpuyvf4o.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-ifcgbi91.js", "text/javascript; charset=utf-8"),
    file!("MenuList-bk9lyk7h.css", "text/css; charset=utf-8"),
    file!("MenuList-o63j6maw.js", "text/javascript; charset=utf-8"),
    file!("Merge-g4ctwbs8.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-fo3zzwws.js", "text/javascript; charset=utf-8"),
    file!("Operate-eemj3img.js", "text/javascript; charset=utf-8"),
    file!("Operate-ngza1ex2.css", "text/css; charset=utf-8"),
    file!("Outbox-nnvz8tem.js", "text/javascript; charset=utf-8"),
    file!("Page-d4cshy80.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Parameters-cffr4gl5.css", "text/css; charset=utf-8"),
    file!("Parameters-eolijfp6.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-x9h55sdj.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Query-oxg5miyz.js", "text/javascript; charset=utf-8"),
    file!("Reads-dsdbggyr.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-i27tp6mu.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-fnzwo6gq.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-n507axri.js", "text/javascript; charset=utf-8"),
    file!("Related-hmtf1y3b.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-k7toalnm.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SignInAgain-pbm8o8va.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-bfnf3n5x.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-jaxylko4.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-ot3cxa4i.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-i2shf5g4.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-llqk554w.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-cg53rao5.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gx66d6v5.css", "text/css; charset=utf-8"),
    file!("badRows-g7dn1vxb.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-hxyh0sdg.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-nisvqkhe.js", "text/javascript; charset=utf-8"),
    file!("console-eu3wdq0r.js", "text/javascript; charset=utf-8"),
    file!("console-m5ac0lfv.css", "text/css; charset=utf-8"),
    file!("cs-hdtlxq6d.js", "text/javascript; charset=utf-8"),
    file!("editBatch-38dcgidj.js", "text/javascript; charset=utf-8"),
    file!("en-gxwbpjgt.js", "text/javascript; charset=utf-8"),
    file!("format-kdjfgm4h.js", "text/javascript; charset=utf-8"),
    file!("icon-dof30kui.svg", "image/svg+xml"),
    file!("keptstore-nh1f2ulb.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-bkmqbhoh.js", "text/javascript; charset=utf-8"),
    file!("more-etxsuvi5.js", "text/javascript; charset=utf-8"),
    file!("more-pe8rg816.js", "text/javascript; charset=utf-8"),
    file!("parse-dchoxoqh.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-iq053p8n.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-jcnxudta.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-g2jr91in.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-m899im9d.js", "text/javascript; charset=utf-8"),
    file!("selection-ha8wdirm.js", "text/javascript; charset=utf-8"),
    file!("undoing-okl98xo5.js", "text/javascript; charset=utf-8"),
    file!("viewchanges-ctjj8m7e.js", "text/javascript; charset=utf-8"),
    file!("whole-hqblf3jx.js", "text/javascript; charset=utf-8"),
];
