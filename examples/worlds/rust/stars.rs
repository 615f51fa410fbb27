//! A world of constellations and bright stars: Level 1 of world/0.1, using only Rust's standard library.
//!
//!     rustc -O stars.rs && ./stars [PORT]        // 0 takes a free port; the origin is printed

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

const API: &str = "/sky";
const PAGE: usize = 20;
const MAX_PAGE: usize = 60;

const CONSTELLATIONS: &str = "And Andromeda,Ant Antlia,Aps Apus,Aqr Aquarius,Aql Aquila,Ara Ara,Ari Aries,Aur Auriga,\
Boo Boötes,Cae Caelum,Cam Camelopardalis,Cnc Cancer,CVn Canes Venatici,CMa Canis Major,CMi Canis Minor,Cap Capricornus,\
Car Carina,Cas Cassiopeia,Cen Centaurus,Cep Cepheus,Cet Cetus,Cha Chamaeleon,Cir Circinus,Col Columba,Com Coma Berenices,\
CrA Corona Australis,CrB Corona Borealis,Crv Corvus,Crt Crater,Cru Crux,Cyg Cygnus,Del Delphinus,Dor Dorado,Dra Draco,\
Equ Equuleus,Eri Eridanus,For Fornax,Gem Gemini,Gru Grus,Her Hercules,Hor Horologium,Hya Hydra,Hyi Hydrus,Ind Indus,\
Lac Lacerta,Leo Leo,LMi Leo Minor,Lep Lepus,Lib Libra,Lup Lupus,Lyn Lynx,Lyr Lyra,Men Mensa,Mic Microscopium,\
Mon Monoceros,Mus Musca,Nor Norma,Oct Octans,Oph Ophiuchus,Ori Orion,Pav Pavo,Peg Pegasus,Per Perseus,Phe Phoenix,\
Pic Pictor,Psc Pisces,PsA Piscis Austrinus,Pup Puppis,Pyx Pyxis,Ret Reticulum,Sge Sagitta,Sgr Sagittarius,Sco Scorpius,\
Scl Sculptor,Sct Scutum,Ser Serpens,Sex Sextans,Tau Taurus,Tel Telescopium,Tri Triangulum,TrA Triangulum Australe,\
Tuc Tucana,UMa Ursa Major,UMi Ursa Minor,Vel Vela,Vir Virgo,Vol Volans,Vul Vulpecula";

const STARS: &str = "Sirius CMa -1.46,Canopus Car -0.74,Arcturus Boo -0.05,Vega Lyr 0.03,Capella Aur 0.08,Rigel Ori 0.13,\
Procyon CMi 0.34,Achernar Eri 0.46,Betelgeuse Ori 0.50,Hadar Cen 0.61,Altair Aql 0.76,Acrux Cru 0.76,Aldebaran Tau 0.86,\
Antares Sco 0.96,Spica Vir 0.97,Pollux Gem 1.14,Fomalhaut PsA 1.16,Deneb Cyg 1.25,Mimosa Cru 1.25,Regulus Leo 1.39";

/// An entity, addressed by its kind and key. `facts` contains JSON members without braces.
struct Body {
    kind: &'static str,
    key: String,
    name: String,
    facts: String,
}

impl Body {
    /// Returns the JSON to send. It omits the kind, which the client knows from its request.
    fn json(&self) -> String {
        format!("{{\"key\":{},\"name\":{}{}}}", quoted(&self.key), quoted(&self.name), self.facts)
    }
}

fn bodies() -> Vec<Body> {
    let constellations = CONSTELLATIONS.split(',').map(|one| {
        let (key, name) = one.split_once(' ').expect("an abbreviation and a name");
        Body { kind: "astro:constellation", key: key.into(), name: name.into(), facts: String::new() }
    });
    let stars = STARS.split(',').map(|one| {
        let words: Vec<&str> = one.split(' ').collect();
        let within = format!("{{\"type\":\"astro:constellation\",\"id\":{}}}", quoted(words[1]));
        let facts = format!(",\"magnitude\":{},\"constellation\":{within}", words[2]);
        Body { kind: "astro:star", key: words[0].to_lowercase(), name: words[0].into(), facts }
    });
    constellations.chain(stars).collect()
}

struct Fault {
    status: u16,
    code: u32,
    message: &'static str,
}

fn fault<T>(status: u16, code: u32, message: &'static str) -> Result<T, Fault> {
    Err(Fault { status, code, message })
}

struct Request {
    method: String,
    path: String,
    query: String,
    host: String,
    body: String,
}

fn answer(request: &Request, all: &[Body]) -> Result<String, Fault> {
    let read = request.method == "GET" || request.method == "HEAD";
    let parts: Option<Vec<String>> =
        request.path.strip_prefix(API).and_then(|rest| rest.strip_prefix('/')).map(|rest| rest.split('/').map(decoded).collect());
    match parts.as_ref().map(|parts| parts.iter().map(String::as_str).collect::<Vec<_>>()).as_deref() {
        None if request.path == "/.well-known/world.json" && read => Ok(document(request)),
        Some(["entities", kind]) if read => list(of_kind(all, kind)?, &request.query),
        Some(["entities", kind, key]) if read => match of_kind(all, kind)?.iter().find(|body| body.key == *key) {
            Some(body) => Ok(format!("[{}]", body.json())),
            None => fault(404, 4042, "no such entity"),
        },
        Some(["actions", "wp:discover"]) if request.method == "POST" => discover(all, &request.body),
        Some(["entities", _] | ["entities", _, _] | ["actions", "wp:discover"]) => fault(405, 4050, "another method"),
        None if request.path == "/.well-known/world.json" => fault(405, 4050, "another method"),
        _ => fault(404, 4040, "nothing here"),
    }
}

fn document(request: &Request) -> String {
    format!(
        "{{\"protocol\":\"world/0.1\",\"canonicalId\":\"urn:example:sky\",\"title\":\"The night sky\",\
         \"endpoints\":{{\"api\":\"http://{}{API}\"}},\"entities\":{{\"astro\":[\"constellation\",\"star\"]}},\
         \"verbs\":[\"wp:discover\"]}}",
        request.host
    )
}

fn of_kind<'a>(all: &'a [Body], kind: &str) -> Result<Vec<&'a Body>, Fault> {
    let found: Vec<&Body> = all.iter().filter(|body| body.kind == kind).collect();
    if found.is_empty() { fault(404, 4041, "no such kind of body") } else { Ok(found) }
}

fn list(all: Vec<&Body>, query: &str) -> Result<String, Fault> {
    let value = |name: &str| {
        query.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| decoded(value)))
    };
    let limit = match value("limit").map(|text| text.parse::<usize>()) {
        None => PAGE,
        Some(Ok(limit)) => limit.min(MAX_PAGE),
        Some(Err(_)) => return fault(400, 4001, "limit is a non-negative integer"),
    };
    let start = match value("cursor") {
        None => 0,
        Some(key) => match all.iter().position(|body| format!("={}", body.key) == key) {
            Some(at) => at,
            None => return fault(400, 4002, "not a cursor"),
        },
    };
    let shown: Vec<String> = all.iter().skip(start).take(limit).map(|body| body.json()).collect();
    // The cursor is the key of the next page's first entity, absent on the last page.
    let next = match all.get(start + limit) {
        Some(body) if limit > 0 => format!(",\"continuation\":{}", quoted(&format!("={}", body.key))),
        _ => String::new(),
    };
    Ok(format!("{{\"bodies\":[{}]{next}}}", shown.join(",")))
}

fn discover(all: &[Body], body: &str) -> Result<String, Fault> {
    let Some(input) = body.split_once("\"input\"").map(|(_, rest)| rest) else {
        return fault(400, 4003, "the body is {\"input\": {…}}");
    };
    if !body.trim().starts_with('{') || !input.trim_start_matches([':', ' ']).starts_with('{') {
        return fault(400, 4003, "the body is {\"input\": {…}}");
    }
    let after = |name: &str| input.split_once(&format!("\"{name}\"")).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let text = after("text").and_then(|rest| rest.strip_prefix('"')).map_or(String::new(), string).to_lowercase();
    let kinds = after("types").and_then(|rest| rest.split(']').next()).unwrap_or("").trim_start_matches('[').to_string();
    let digits = after("limit").map_or(String::new(), |rest| rest.chars().take_while(char::is_ascii_digit).collect());
    let limit = digits.parse().unwrap_or(PAGE).min(MAX_PAGE);
    let hits = all.iter().filter(|body| kinds.trim().is_empty() || kinds.contains(&format!("\"{}\"", body.kind)));
    let hits = hits.filter(|body| body.name.to_lowercase().contains(&text)).take(limit);
    let hits: Vec<String> = hits.map(|body| format!("{{\"kind\":\"{}\",\"match\":{}}}", body.kind, body.json())).collect();
    Ok(format!("{{\"matches\":[{}]}}", hits.join(",")))
}

/// Decodes the JSON string at the start of `rest`, up to its closing quote.
fn string(rest: &str) -> String {
    let mut units = Vec::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => match letters.next() {
                Some('u') => units.push(u16::from_str_radix(&letters.by_ref().take(4).collect::<String>(), 16).unwrap_or(0xfffd)),
                Some('n') => units.push(10),
                Some('t') => units.push(9),
                Some(other) => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
                None => break,
            },
            _ => units.extend(letter.encode_utf16(&mut [0; 2]).iter()),
        }
    }
    String::from_utf16_lossy(&units)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let hex = (first == b'%').then(|| tail.get(..2)).flatten().and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &tail[2..]).1,
            None => (bytes.push(first), rest = tail).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn serve(stream: TcpStream, all: &[Body]) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(String::from);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut host, mut length) = (String::new(), 0);
    loop {
        let mut field = String::new();
        if reader.read_line(&mut field)? <= 2 {
            break;
        }
        if let Some((name, value)) = field.split_once(':') {
            match name.to_ascii_lowercase().as_str() {
                "host" => host = value.trim().into(),
                "content-length" => length = value.trim().parse().unwrap_or(0).min(1 << 20),
                _ => {}
            }
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let body = String::from_utf8_lossy(&body).into_owned();
    let request = Request { method, path: path.into(), query: query.into(), host, body };
    let (status, text) = match answer(&request, all) {
        Ok(text) => (200, text),
        Err(fault) => (fault.status, format!("{{\"code\":{},\"message\":{}}}", fault.code, quoted(fault.message))),
    };
    let head = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        if status == 200 { "OK" } else { "No" },
        text.len()
    );
    (&stream).write_all(head.as_bytes())?;
    if request.method != "HEAD" { (&stream).write_all(text.as_bytes()) } else { Ok(()) }
}

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).unwrap_or("8000".into());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))?;
    let all: &'static [Body] = bodies().leak();
    println!("http://{}", listener.local_addr()?);
    for stream in listener.incoming().flatten() {
        // Errors of a connection are ignored.
        std::thread::spawn(move || serve(stream, all).ok());
    }
    Ok(())
}
