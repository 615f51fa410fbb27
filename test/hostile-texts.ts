/** Texts that have broken other web pages, entities that contain them, and assertions that they do no harm. */
import assert from 'node:assert/strict'
import type { Watched } from './browser.ts'
import { NAUGHTY_STRINGS } from './hostile/naughty.fixture.ts'

const OWN = [
  '<img src=x onerror="window.hit=1">',
  '<script>window.hit=1</script>',
  '<svg onload=window.hit=1>',
  '"><iframe src="https://evil.example/">',
  'javascript:window.hit=1',
  'JaVaScRiPt:window.hit=1//',
  'data:text/html,<script>window.hit=1</script>',
  'https://evil.example/a.png',
  'https://evil.example/"onmouseover="window.hit=1',
  'http://user:secret@evil.example/',
  '//evil.example/x.js',
  '{{constructor.constructor("window.hit=1")()}}',
  '\u202egnp.exe\u2066',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  '<style>@import "https://evil.example/x.css"</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<form action=https://evil.example/><input type=submit>',
]

/** 300 texts that have broken other web pages. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...new Set([...OWN, ...NAUGHTY_STRINGS.filter((text) => text !== '')]),
].slice(0, 300)

/** Reports whether a text is valid as an id in a path. */
export function isAddressable(text: string): boolean {
  const unaddressable = /\p{Cc}|[\u2028\u2029]|(?:^|[/\\])\.{1,2}(?:$|[/\\])/u
  return text.isWellFormed() && text.length < 400 && !unaddressable.test(text)
}

/** Returns an entity of type `h:thing` that contains `text` in every place where an entity can contain text. */
export function entityOf(text: string, index: number) {
  const attributes = JSON.parse(
    `{"text":${JSON.stringify(text)},"link":${JSON.stringify(`https://evil.example/${index}?${text}`)}}`,
  )
  Object.assign(attributes, {
    script: `javascript:${text}`,
    picture: `https://evil.example/${index}.png`,
    list: [text, `javascript:${text}`, text],
    reference: { type: text, id: text },
    body: text,
    lat: 1,
    lon: 2,
  })
  const own = { value: text, enumerable: true, configurable: true, writable: true }
  attributes.nested = Object.defineProperty({}, text, own)
  Object.defineProperty(attributes, text, own)
  const id = isAddressable(text) ? text : `n${index}`
  attributes.linked = Object.defineProperty({}, text, { ...own, value: { type: 'h:thing', id } })
  return { type: 'h:thing', id, title: text, summary: text, attributes, createdAt: text, revision: text }
}

/** Asserts that no script of a text ran, no other host was contacted, and no text became an element. */
export async function assertHarmless(
  watched: Watched,
  origins: readonly string[],
  where: string,
): Promise<void> {
  const { page, wrongs, requests } = watched
  assert.deepEqual(wrongs, [], where)
  assert.equal(await page.evaluate('window.hit'), undefined, where)
  const foreign =
    'document.querySelectorAll("iframe,object,embed,form[action],base,img,script:not([src*=_explorer])").length'
  assert.equal(await page.evaluate(foreign), 0, where)
  const links: string[] = (await page.evaluate(
    '[...document.querySelectorAll("a")].map((a) => a.protocol)',
  )) as string[]
  assert.deepEqual(
    [...new Set(links)].filter((scheme) => !/^(?:https?|mailto):$/.test(scheme)),
    [],
    where,
  )
  assert.deepEqual(
    requests.filter((url) => !origins.includes(new URL(url).origin)),
    [],
    where,
  )
}
