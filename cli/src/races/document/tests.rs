//! Races without a run in every form.

use std::path::Path;

use super::super::fixtures::report;
use super::*;
use crate::formats::{self, html, sarif};
use crate::report::source::Sources;

#[test]
fn each_variable_is_a_line() {
    let mut report = report();
    report.variables[1].observed = Some(Observation::Confirmed);
    let mut locator = Locator::new(Sources::default(), &|_| String::new());
    let document = of(&report, true, &mut locator);
    let levels: Vec<Level> = document.findings.iter().map(|finding| finding.level).collect();
    assert_eq!(levels, [Level::Warning, Level::Error, Level::Warning]);
    let full = &document.findings[0].full;
    assert!(full.starts_with("RACE on field bank.Account.balance (int)\n"), "{full}");
    expect_test::expect![[r#"
        bank/Account.java:18: race on bank.Account.balance: write in add() against read in balance() (Account.java:18) [no-common-lock]
        bank/Account.java:18: race on elements of int[]: write in add() against read in balance() (Account.java:18) [certain]
        bank/Account.java:18: race on bank.Bank.total: write in add() against read in balance() (Account.java:18) [maybe-same-lock]
    "#]]
    .assert_eq(&formats::brief(&document));
}

fn sarif_of(report: &Report) -> serde_json::Value {
    let document = of(report, true, &mut Locator::new(Sources::default(), &|_| String::new()));
    serde_json::from_str(&sarif::document(&document, None, false).unwrap()).unwrap()
}

#[test]
fn a_result_has_both_threads() {
    let sarif = sarif_of(&report());
    let result = &sarif["runs"][0]["results"][0];
    let flows = &result["codeFlows"][0]["threadFlows"];
    assert_eq!(flows.as_array().unwrap().len(), 2);
    let last = &flows[0]["locations"][2]["location"];
    assert_eq!(last["message"]["text"], "write of field bank.Account.balance (int)");
    assert_eq!(last["physicalLocation"]["artifactLocation"]["uri"], "bank/Account.java");
    assert_eq!(
        flows[0]["locations"][1]["location"]["message"]["text"],
        "call in bank.Account.express, holding bank.Teller made at Bank.java:41"
    );
    assert_eq!(result["relatedLocations"][1]["physicalLocation"]["region"]["startLine"], 22);
    assert_eq!(result["relatedLocations"][2]["physicalLocation"]["region"]["startLine"], 57);
    assert_eq!(result["rank"], 50.0);
    assert!(result["message"]["text"].as_str().unwrap().ends_with(" Rank 1: both write."), "{result}");
    assert_eq!(result["partialFingerprints"]["variable/v1"], "bank.Account.balance (int)");
}

fn page_of(report: &Report) -> String {
    let directory = tempfile::tempdir().unwrap();
    let account: String = (1..=30).map(|line| format!("line {line} <&>\n")).collect();
    std::fs::create_dir(directory.path().join("bank")).unwrap();
    std::fs::write(directory.path().join("bank/Account.java"), format!("package bank;\n{account}")).unwrap();
    let shown = |path: &Path| path.display().to_string();
    let mut locator = Locator::new(Sources::new(directory.path(), &[]), &shown);
    html::document(&of(report, true, &mut locator), &mut locator)
}

#[test]
fn names_and_sources_are_escaped_and_nothing_is_loaded() {
    let page = page_of(&report());
    assert!(page.contains("Races in bank&lt;1&gt;.jar") && page.contains("the &lt;main&gt; thread"), "{page}");
    assert!(page.contains("line 17 &lt;&amp;&gt;") && !page.contains("<&>") && !page.contains("<1>"), "{page}");
    for word in ["http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn both_views_have_every_race() {
    let page = page_of(&report());
    assert_eq!(page.matches("<article ").count(), 3);
    assert_eq!(page.matches("<section class=\"side\">").count(), 6);
    assert_eq!(page.matches("<rect").count(), 3);
    let links: Vec<&str> = page.split("<a href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links.len(), 3, "{page}");
    for link in links {
        assert!(page.contains(&format!("<article id=\"{link}\"")), "{link}: {page}");
    }
}

#[test]
fn each_variable_has_its_rank_and_some_are_below_a_line() {
    let mut report = report();
    assert_eq!(page_of(&report).matches("<p>Rank 1: both write.</p>").count(), 3);
    assert!(!page_of(&report).contains("Less likely"));
    report.variables[2].rank.is_below = true;
    let page = page_of(&report);
    let (above, below) = page.split_once("Less likely").unwrap();
    let number = |text: &str| text.matches("<details class=\"variable\"").count();
    assert_eq!((number(above), number(below)), (2, 1), "{page}");
}

#[test]
fn every_method_of_a_race_is_there() {
    let page = page_of(&report());
    assert_eq!(page.matches("1 other place like this").count(), 3);
    assert_eq!(page.matches("Bank.java:57").count(), 3, "{page}");
}
