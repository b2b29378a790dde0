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
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-njxr0std.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-dqz00jyy.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 99] = [
    file!("Account-hb7r857d.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-cflx7jih.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-m3qkmeq6.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-imx1bq9s.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-hi8a3ljd.js", "text/javascript; charset=utf-8"),
    file!("Bulk-f3wg733c.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-kv45e8sa.js", "text/javascript; charset=utf-8"),
    file!("ColorField-b4tsx6zl.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-mnosxz11.js", "text/javascript; charset=utf-8"),
    file!("Commands-lfxfjzxf.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-o8f0z1hy.js", "text/javascript; charset=utf-8"),
    file!("Dialog-c7lbmoat.js", "text/javascript; charset=utf-8"),
    file!("Dialog-dpt8x0s5.css", "text/css; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-y4wjzrhk.js", "text/javascript; charset=utf-8"),
    file!("Export-hok6fp0z.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-kihscmuo.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-f3lccext.js", "text/javascript; charset=utf-8"),
    file!("FileField-ex4dd656.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-hyvmy1kg.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-mlp0m8he.js", "text/javascript; charset=utf-8"),
    file!("Help-b686v708.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Import-gvh8yvqy.js", "text/javascript; charset=utf-8"),
    file!("Import-k43d075m.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-cjrc9153.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-cw9mosg4.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-dlclst56.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-efw2r4dl.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-c5s3tg95.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-bzhq40n1.js", "text/javascript; charset=utf-8"),
    file!("Merge-gjdiqapu.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-kemqbil8.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n5cklc3l.js", "text/javascript; charset=utf-8"),
    file!("Page-deiqn7yn.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-bjk4j4k5.css", "text/css; charset=utf-8"),
    file!("Parameters-cx52xfgm.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-hcxzdre3.js", "text/javascript; charset=utf-8"),
    file!("Query-mtdv6mue.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-jc0rt9q0.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-a5y12jv5.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-diniw7ll.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-rklam49n.js", "text/javascript; charset=utf-8"),
    file!("Related-fjxaj7db.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-ep8238mt.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-lopd4i5k.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("Start-eacb2vps.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-batnwghw.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("Toasts-fs0io9b3.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-f0rlo40b.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bm6rxsr4.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("acted-k2j9g5mt.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-bbfplmoy.js", "text/javascript; charset=utf-8"),
    file!("console-dqz00jyy.css", "text/css; charset=utf-8"),
    file!("console-njxr0std.js", "text/javascript; charset=utf-8"),
    file!("cs-d2yqjrb9.js", "text/javascript; charset=utf-8"),
    file!("en-l1jbrk9w.js", "text/javascript; charset=utf-8"),
    file!("keptstore-lfoh6tlp.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-bmts7796.js", "text/javascript; charset=utf-8"),
    file!("more-ecehza94.js", "text/javascript; charset=utf-8"),
    file!("more-oug7yuwl.js", "text/javascript; charset=utf-8"),
    file!("parse-j18wapau.js", "text/javascript; charset=utf-8"),
    file!("plot-dfgpysqz.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("selection-iimkxyak.js", "text/javascript; charset=utf-8"),
];
