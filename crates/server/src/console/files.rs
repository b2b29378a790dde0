//! The files of the console, as `console/embed.mjs` lists them after each build. Not edited by hand.

use super::ConsoleFile;

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
      <script type="module" crossorigin src="{root}console/console-jjeecwh1.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c0rqeh07.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 93] = [
    ConsoleFile {
        name: "Account-foldwqqt.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Account-foldwqqt.css.br"),
        gzip: include_bytes!("../../../../console/dist/Account-foldwqqt.css.gz"),
    },
    ConsoleFile {
        name: "Account-ml8kw2qu.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Account-ml8kw2qu.js.br"),
        gzip: include_bytes!("../../../../console/dist/Account-ml8kw2qu.js.gz"),
    },
    ConsoleFile {
        name: "Audit-hdnbtopo.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Audit-hdnbtopo.js.br"),
        gzip: include_bytes!("../../../../console/dist/Audit-hdnbtopo.js.gz"),
    },
    ConsoleFile {
        name: "Automations-kdowwou7.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Automations-kdowwou7.js.br"),
        gzip: include_bytes!("../../../../console/dist/Automations-kdowwou7.js.gz"),
    },
    ConsoleFile {
        name: "Automations-lp98xqhu.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Automations-lp98xqhu.css.br"),
        gzip: include_bytes!("../../../../console/dist/Automations-lp98xqhu.css.gz"),
    },
    ConsoleFile {
        name: "Board-fcfm1mvx.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Board-fcfm1mvx.js.br"),
        gzip: include_bytes!("../../../../console/dist/Board-fcfm1mvx.js.gz"),
    },
    ConsoleFile {
        name: "Board-ofhjyjgd.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Board-ofhjyjgd.css.br"),
        gzip: include_bytes!("../../../../console/dist/Board-ofhjyjgd.css.gz"),
    },
    ConsoleFile {
        name: "BottomBar-c2tt3phe.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/BottomBar-c2tt3phe.css.br"),
        gzip: include_bytes!("../../../../console/dist/BottomBar-c2tt3phe.css.gz"),
    },
    ConsoleFile {
        name: "BottomBar-e7j4yckt.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/BottomBar-e7j4yckt.js.br"),
        gzip: include_bytes!("../../../../console/dist/BottomBar-e7j4yckt.js.gz"),
    },
    ConsoleFile {
        name: "Bulk-bdi2ruhz.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Bulk-bdi2ruhz.js.br"),
        gzip: include_bytes!("../../../../console/dist/Bulk-bdi2ruhz.js.gz"),
    },
    ConsoleFile {
        name: "Bulk-hkgtv8aa.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Bulk-hkgtv8aa.css.br"),
        gzip: include_bytes!("../../../../console/dist/Bulk-hkgtv8aa.css.gz"),
    },
    ConsoleFile {
        name: "CellEditor-g4zh10oh.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/CellEditor-g4zh10oh.js.br"),
        gzip: include_bytes!("../../../../console/dist/CellEditor-g4zh10oh.js.gz"),
    },
    ConsoleFile {
        name: "CellEditor-ib4ppgpr.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/CellEditor-ib4ppgpr.css.br"),
        gzip: include_bytes!("../../../../console/dist/CellEditor-ib4ppgpr.css.gz"),
    },
    ConsoleFile {
        name: "ColorField-b6727f1n.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColorField-b6727f1n.css.br"),
        gzip: include_bytes!("../../../../console/dist/ColorField-b6727f1n.css.gz"),
    },
    ConsoleFile {
        name: "ColorField-ogeoyjgb.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColorField-ogeoyjgb.js.br"),
        gzip: include_bytes!("../../../../console/dist/ColorField-ogeoyjgb.js.gz"),
    },
    ConsoleFile {
        name: "ColumnsPicker-fl0hjoro.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColumnsPicker-fl0hjoro.css.br"),
        gzip: include_bytes!("../../../../console/dist/ColumnsPicker-fl0hjoro.css.gz"),
    },
    ConsoleFile {
        name: "ColumnsPicker-jal95yls.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColumnsPicker-jal95yls.js.br"),
        gzip: include_bytes!("../../../../console/dist/ColumnsPicker-jal95yls.js.gz"),
    },
    ConsoleFile {
        name: "Commands-f2x1v6t7.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Commands-f2x1v6t7.css.br"),
        gzip: include_bytes!("../../../../console/dist/Commands-f2x1v6t7.css.gz"),
    },
    ConsoleFile {
        name: "Commands-oxxg2ewk.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Commands-oxxg2ewk.js.br"),
        gzip: include_bytes!("../../../../console/dist/Commands-oxxg2ewk.js.gz"),
    },
    ConsoleFile {
        name: "CreateDialog-bgcdkueu.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/CreateDialog-bgcdkueu.js.br"),
        gzip: include_bytes!("../../../../console/dist/CreateDialog-bgcdkueu.js.gz"),
    },
    ConsoleFile {
        name: "Entries-ckv94gyr.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Entries-ckv94gyr.js.br"),
        gzip: include_bytes!("../../../../console/dist/Entries-ckv94gyr.js.gz"),
    },
    ConsoleFile {
        name: "Entries-ix8ioq0h.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Entries-ix8ioq0h.css.br"),
        gzip: include_bytes!("../../../../console/dist/Entries-ix8ioq0h.css.gz"),
    },
    ConsoleFile {
        name: "Export-bizp51m4.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Export-bizp51m4.css.br"),
        gzip: include_bytes!("../../../../console/dist/Export-bizp51m4.css.gz"),
    },
    ConsoleFile {
        name: "Export-kiqv92gn.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Export-kiqv92gn.js.br"),
        gzip: include_bytes!("../../../../console/dist/Export-kiqv92gn.js.gz"),
    },
    ConsoleFile {
        name: "Facts-na6onaux.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Facts-na6onaux.css.br"),
        gzip: include_bytes!("../../../../console/dist/Facts-na6onaux.css.gz"),
    },
    ConsoleFile {
        name: "Facts-tubgjogr.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Facts-tubgjogr.js.br"),
        gzip: include_bytes!("../../../../console/dist/Facts-tubgjogr.js.gz"),
    },
    ConsoleFile {
        name: "Field-ctanwpab.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Field-ctanwpab.css.br"),
        gzip: include_bytes!("../../../../console/dist/Field-ctanwpab.css.gz"),
    },
    ConsoleFile {
        name: "Field-ntht82gq.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Field-ntht82gq.js.br"),
        gzip: include_bytes!("../../../../console/dist/Field-ntht82gq.js.gz"),
    },
    ConsoleFile {
        name: "FileField-bdh678te.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FileField-bdh678te.js.br"),
        gzip: include_bytes!("../../../../console/dist/FileField-bdh678te.js.gz"),
    },
    ConsoleFile {
        name: "FileField-em9apew2.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FileField-em9apew2.css.br"),
        gzip: include_bytes!("../../../../console/dist/FileField-em9apew2.css.gz"),
    },
    ConsoleFile {
        name: "FilterBuilder-i6kxo8bi.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FilterBuilder-i6kxo8bi.js.br"),
        gzip: include_bytes!("../../../../console/dist/FilterBuilder-i6kxo8bi.js.gz"),
    },
    ConsoleFile {
        name: "FilterBuilder-mpx5j3g1.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FilterBuilder-mpx5j3g1.css.br"),
        gzip: include_bytes!("../../../../console/dist/FilterBuilder-mpx5j3g1.css.gz"),
    },
    ConsoleFile {
        name: "Footer-ckgbwbn1.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Footer-ckgbwbn1.js.br"),
        gzip: include_bytes!("../../../../console/dist/Footer-ckgbwbn1.js.gz"),
    },
    ConsoleFile {
        name: "Footer-fjrhej2y.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Footer-fjrhej2y.css.br"),
        gzip: include_bytes!("../../../../console/dist/Footer-fjrhej2y.css.gz"),
    },
    ConsoleFile {
        name: "Help-d3aj27nv.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Help-d3aj27nv.css.br"),
        gzip: include_bytes!("../../../../console/dist/Help-d3aj27nv.css.gz"),
    },
    ConsoleFile {
        name: "Help-e2rb09e2.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Help-e2rb09e2.js.br"),
        gzip: include_bytes!("../../../../console/dist/Help-e2rb09e2.js.gz"),
    },
    ConsoleFile {
        name: "Import-cna91p7o.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Import-cna91p7o.css.br"),
        gzip: include_bytes!("../../../../console/dist/Import-cna91p7o.css.gz"),
    },
    ConsoleFile {
        name: "Import-km8qlv6e.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Import-km8qlv6e.js.br"),
        gzip: include_bytes!("../../../../console/dist/Import-km8qlv6e.js.gz"),
    },
    ConsoleFile {
        name: "Inbox-c5k4yr7g.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Inbox-c5k4yr7g.css.br"),
        gzip: include_bytes!("../../../../console/dist/Inbox-c5k4yr7g.css.gz"),
    },
    ConsoleFile {
        name: "Inbox-ex1ucj5e.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Inbox-ex1ucj5e.js.br"),
        gzip: include_bytes!("../../../../console/dist/Inbox-ex1ucj5e.js.gz"),
    },
    ConsoleFile {
        name: "JobProgress-fx1ocv1n.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JobProgress-fx1ocv1n.js.br"),
        gzip: include_bytes!("../../../../console/dist/JobProgress-fx1ocv1n.js.gz"),
    },
    ConsoleFile {
        name: "JobProgress-nuggtfec.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JobProgress-nuggtfec.css.br"),
        gzip: include_bytes!("../../../../console/dist/JobProgress-nuggtfec.css.gz"),
    },
    ConsoleFile {
        name: "Json-ebrkheqr.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Json-ebrkheqr.js.br"),
        gzip: include_bytes!("../../../../console/dist/Json-ebrkheqr.js.gz"),
    },
    ConsoleFile {
        name: "Json-jj4uebxg.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Json-jj4uebxg.css.br"),
        gzip: include_bytes!("../../../../console/dist/Json-jj4uebxg.css.gz"),
    },
    ConsoleFile {
        name: "JsonField-b5e5e0nf.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JsonField-b5e5e0nf.js.br"),
        gzip: include_bytes!("../../../../console/dist/JsonField-b5e5e0nf.js.gz"),
    },
    ConsoleFile {
        name: "JsonField-otzk3iqc.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JsonField-otzk3iqc.css.br"),
        gzip: include_bytes!("../../../../console/dist/JsonField-otzk3iqc.css.gz"),
    },
    ConsoleFile {
        name: "Merge-im44i2oq.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Merge-im44i2oq.js.br"),
        gzip: include_bytes!("../../../../console/dist/Merge-im44i2oq.js.gz"),
    },
    ConsoleFile {
        name: "Merge-jnqwkhy3.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Merge-jnqwkhy3.css.br"),
        gzip: include_bytes!("../../../../console/dist/Merge-jnqwkhy3.css.gz"),
    },
    ConsoleFile {
        name: "Operate-envaygzt.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Operate-envaygzt.css.br"),
        gzip: include_bytes!("../../../../console/dist/Operate-envaygzt.css.gz"),
    },
    ConsoleFile {
        name: "Operate-ldnmq916.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Operate-ldnmq916.js.br"),
        gzip: include_bytes!("../../../../console/dist/Operate-ldnmq916.js.gz"),
    },
    ConsoleFile {
        name: "Outbox-ltwq0yxh.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Outbox-ltwq0yxh.js.br"),
        gzip: include_bytes!("../../../../console/dist/Outbox-ltwq0yxh.js.gz"),
    },
    ConsoleFile {
        name: "Outbox-n98mcalt.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Outbox-n98mcalt.css.br"),
        gzip: include_bytes!("../../../../console/dist/Outbox-n98mcalt.css.gz"),
    },
    ConsoleFile {
        name: "Page-ggrzydgv.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Page-ggrzydgv.js.br"),
        gzip: include_bytes!("../../../../console/dist/Page-ggrzydgv.js.gz"),
    },
    ConsoleFile {
        name: "Page-ko492ov3.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Page-ko492ov3.css.br"),
        gzip: include_bytes!("../../../../console/dist/Page-ko492ov3.css.gz"),
    },
    ConsoleFile {
        name: "Parameters-fglkg6u0.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Parameters-fglkg6u0.css.br"),
        gzip: include_bytes!("../../../../console/dist/Parameters-fglkg6u0.css.gz"),
    },
    ConsoleFile {
        name: "Parameters-giefxc3o.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Parameters-giefxc3o.js.br"),
        gzip: include_bytes!("../../../../console/dist/Parameters-giefxc3o.js.gz"),
    },
    ConsoleFile {
        name: "PathPicker-bpeaax5o.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/PathPicker-bpeaax5o.js.br"),
        gzip: include_bytes!("../../../../console/dist/PathPicker-bpeaax5o.js.gz"),
    },
    ConsoleFile {
        name: "Query-fnxtdwyh.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Query-fnxtdwyh.js.br"),
        gzip: include_bytes!("../../../../console/dist/Query-fnxtdwyh.js.gz"),
    },
    ConsoleFile {
        name: "Query-n42aagy4.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Query-n42aagy4.css.br"),
        gzip: include_bytes!("../../../../console/dist/Query-n42aagy4.css.gz"),
    },
    ConsoleFile {
        name: "Reads-cngebzyl.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Reads-cngebzyl.js.br"),
        gzip: include_bytes!("../../../../console/dist/Reads-cngebzyl.js.gz"),
    },
    ConsoleFile {
        name: "Reads-lse9xmdi.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Reads-lse9xmdi.css.br"),
        gzip: include_bytes!("../../../../console/dist/Reads-lse9xmdi.css.gz"),
    },
    ConsoleFile {
        name: "RecordJson-ncmz8ddj.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordJson-ncmz8ddj.js.br"),
        gzip: include_bytes!("../../../../console/dist/RecordJson-ncmz8ddj.js.gz"),
    },
    ConsoleFile {
        name: "RecordJson-nkfmr10s.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordJson-nkfmr10s.css.br"),
        gzip: include_bytes!("../../../../console/dist/RecordJson-nkfmr10s.css.gz"),
    },
    ConsoleFile {
        name: "RecordTags-hqcoae6r.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordTags-hqcoae6r.js.br"),
        gzip: include_bytes!("../../../../console/dist/RecordTags-hqcoae6r.js.gz"),
    },
    ConsoleFile {
        name: "RecordTags-keybgk9l.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordTags-keybgk9l.css.br"),
        gzip: include_bytes!("../../../../console/dist/RecordTags-keybgk9l.css.gz"),
    },
    ConsoleFile {
        name: "Related-cj4gah01.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Related-cj4gah01.css.br"),
        gzip: include_bytes!("../../../../console/dist/Related-cj4gah01.css.gz"),
    },
    ConsoleFile {
        name: "Related-i8u8rvfj.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Related-i8u8rvfj.js.br"),
        gzip: include_bytes!("../../../../console/dist/Related-i8u8rvfj.js.gz"),
    },
    ConsoleFile {
        name: "Runs-c057yeo3.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Runs-c057yeo3.js.br"),
        gzip: include_bytes!("../../../../console/dist/Runs-c057yeo3.js.gz"),
    },
    ConsoleFile {
        name: "Runs-couu5e8u.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Runs-couu5e8u.css.br"),
        gzip: include_bytes!("../../../../console/dist/Runs-couu5e8u.css.gz"),
    },
    ConsoleFile {
        name: "SignInAgain-iz1bcpxs.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/SignInAgain-iz1bcpxs.js.br"),
        gzip: include_bytes!("../../../../console/dist/SignInAgain-iz1bcpxs.js.gz"),
    },
    ConsoleFile {
        name: "SignInAgain-oijudp8l.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/SignInAgain-oijudp8l.css.br"),
        gzip: include_bytes!("../../../../console/dist/SignInAgain-oijudp8l.css.gz"),
    },
    ConsoleFile {
        name: "Start-jg3xaxkt.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Start-jg3xaxkt.js.br"),
        gzip: include_bytes!("../../../../console/dist/Start-jg3xaxkt.js.gz"),
    },
    ConsoleFile {
        name: "Start-vtg4drfq.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Start-vtg4drfq.css.br"),
        gzip: include_bytes!("../../../../console/dist/Start-vtg4drfq.css.gz"),
    },
    ConsoleFile {
        name: "State-htqnqpb4.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/State-htqnqpb4.css.br"),
        gzip: include_bytes!("../../../../console/dist/State-htqnqpb4.css.gz"),
    },
    ConsoleFile {
        name: "State-k7oxna2p.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/State-k7oxna2p.js.br"),
        gzip: include_bytes!("../../../../console/dist/State-k7oxna2p.js.gz"),
    },
    ConsoleFile {
        name: "Tags-c87ec8ll.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Tags-c87ec8ll.css.br"),
        gzip: include_bytes!("../../../../console/dist/Tags-c87ec8ll.css.gz"),
    },
    ConsoleFile {
        name: "Tags-ecaenzbf.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Tags-ecaenzbf.js.br"),
        gzip: include_bytes!("../../../../console/dist/Tags-ecaenzbf.js.gz"),
    },
    ConsoleFile {
        name: "Toasts-cs5ln3l0.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Toasts-cs5ln3l0.css.br"),
        gzip: include_bytes!("../../../../console/dist/Toasts-cs5ln3l0.css.gz"),
    },
    ConsoleFile {
        name: "Toasts-hullmsjv.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Toasts-hullmsjv.js.br"),
        gzip: include_bytes!("../../../../console/dist/Toasts-hullmsjv.js.gz"),
    },
    ConsoleFile {
        name: "ViewDialog-kioak32f.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ViewDialog-kioak32f.js.br"),
        gzip: include_bytes!("../../../../console/dist/ViewDialog-kioak32f.js.gz"),
    },
    ConsoleFile {
        name: "ViewDialog-lw5w9g16.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ViewDialog-lw5w9g16.css.br"),
        gzip: include_bytes!("../../../../console/dist/ViewDialog-lw5w9g16.css.gz"),
    },
    ConsoleFile {
        name: "clipboard.svelte-jjzxmgcb.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/clipboard.svelte-jjzxmgcb.js.br"),
        gzip: include_bytes!("../../../../console/dist/clipboard.svelte-jjzxmgcb.js.gz"),
    },
    ConsoleFile {
        name: "console-c0rqeh07.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/console-c0rqeh07.css.br"),
        gzip: include_bytes!("../../../../console/dist/console-c0rqeh07.css.gz"),
    },
    ConsoleFile {
        name: "console-jjeecwh1.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/console-jjeecwh1.js.br"),
        gzip: include_bytes!("../../../../console/dist/console-jjeecwh1.js.gz"),
    },
    ConsoleFile {
        name: "cs-losx090e.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/cs-losx090e.js.br"),
        gzip: include_bytes!("../../../../console/dist/cs-losx090e.js.gz"),
    },
    ConsoleFile {
        name: "en-bxbevfjc.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/en-bxbevfjc.js.br"),
        gzip: include_bytes!("../../../../console/dist/en-bxbevfjc.js.gz"),
    },
    ConsoleFile {
        name: "gone-c33cqfis.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/gone-c33cqfis.js.br"),
        gzip: include_bytes!("../../../../console/dist/gone-c33cqfis.js.gz"),
    },
    ConsoleFile {
        name: "more-bibkbjyr.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/more-bibkbjyr.js.br"),
        gzip: include_bytes!("../../../../console/dist/more-bibkbjyr.js.gz"),
    },
    ConsoleFile {
        name: "more-d0xfauyr.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/more-d0xfauyr.js.br"),
        gzip: include_bytes!("../../../../console/dist/more-d0xfauyr.js.gz"),
    },
    ConsoleFile {
        name: "parse-js2l40fq.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/parse-js2l40fq.js.br"),
        gzip: include_bytes!("../../../../console/dist/parse-js2l40fq.js.gz"),
    },
    ConsoleFile {
        name: "plot-drxk7b1i.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/plot-drxk7b1i.js.br"),
        gzip: include_bytes!("../../../../console/dist/plot-drxk7b1i.js.gz"),
    },
    ConsoleFile {
        name: "plural-cu3ubgfx.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/plural-cu3ubgfx.js.br"),
        gzip: include_bytes!("../../../../console/dist/plural-cu3ubgfx.js.gz"),
    },
    ConsoleFile {
        name: "rolldown-runtime-mam1o4z7.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/rolldown-runtime-mam1o4z7.js.br"),
        gzip: include_bytes!("../../../../console/dist/rolldown-runtime-mam1o4z7.js.gz"),
    },
];
