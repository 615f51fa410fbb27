import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { find, get, show, startPage, until } from '../page.fixture.ts'

startPage()
const { Value } = await import('./value.tsx')
const sol = await openFake({})

/** Renders a text that is declared as Markdown, until the element `selector` is shown. */
async function prose(text: string, selector = '.prose'): Promise<HTMLElement> {
  const schema = { contentMediaType: 'text/markdown' }
  show(sol.within(h(Value, { value: text, field: fieldOf('text', schema, schema, text) })))
  await until(() => document.querySelector(selector))
  return get(selector)
}

test('Markdown is formatted, with headings below those of the page', async () => {
  assert.equal(
    (await prose('# Io\n\nA **moon** `x`\n\n3. a\n\n---')).innerHTML,
    '<h4>Io</h4><p>A <strong>moon</strong> <code>x</code></p><ol start="3"><li>a</li></ol><hr>',
  )
})

test('links and pictures follow the rules of all texts', async () => {
  const { innerHTML } = await prose(
    '[Jupiter](/t/x%3Aplanet/jupiter) [bad](javascript:alert(1)) ![own](/attachments/io.png) ![far](https://far.example/io.png)',
  )
  const link = get('a.out', /^Jupiter/)
  assert.match(link.getAttribute('href') ?? '', /^https:\/\/[\w.]+\/t\/x%3Aplanet\/jupiter$/)
  assert.equal(link.getAttribute('rel'), 'noopener noreferrer nofollow')
  get('button', 'Show the pictures from far.example')
  const pictures = [...document.querySelectorAll('img')].map((one) => one.getAttribute('src') ?? '')
  assert.equal(pictures.length, 1)
  assert.match(pictures[0] ?? '', /^https:\/\/[\w.]+\/attachments\/io\.png$/)
  assert.match(innerHTML, /\[bad\]\(javascript:alert\(1\)\)/)
  assert.doesNotMatch(innerHTML, /href="javascript/)
})

test('HTML in Markdown is text, and invisible characters are named', async () => {
  const { innerHTML } = await prose('<img src=x onerror=alert(1)> *a*\u202eb')
  assert.match(
    innerHTML,
    /^<p>&lt;img src=x onerror=alert\(1\)&gt; <em>a<\/em><span class="unseen"[^>]*>U\+202E<\/span>b<\/p>$/,
  )
})

test('Markdown that is too deep is shown unformatted', async () => {
  const text = await prose(`${'> '.repeat(300)}end`, '.folded, bdi')
  assert.match(text.textContent ?? '', /^> > > /)
  assert.equal(find('blockquote'), undefined)
})
