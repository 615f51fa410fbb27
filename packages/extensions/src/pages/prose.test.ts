import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellHtml } from './values.ts'
import { world } from './world-pages.fixture.ts'

async function pageOf(text: string, path = '/t/sol%3Aplanet/x') {
  const schema = { properties: { text: { contentMediaType: 'text/markdown' } } }
  const types = [{ type: 'sol:planet', schema }]
  const { page } = await world([{ id: 'x', attributes: { text, plain: text } }], {}, { types })
  return page(path)
}

/** Returns the formatted attribute of a page. */
function proseIn(page: string): string {
  return (
    /<dt>Text<\/dt><dd dir="auto"><div class="prose" dir="auto">(.*)<\/div><\/dd><dt>Plain</s.exec(
      page,
    )?.[1] ?? ''
  )
}

test('an attribute declared as Markdown is formatted, and any other one is not', async () => {
  const text =
    '# Io\n\nA *moon* of [Jupiter](/t/sol%3Aplanet/jupiter), ![map](/attachments/io.png) and ![far](https://far.example/a.png).'
  const page = await pageOf(text)
  const jupiter = '<a href="/t/sol%3Aplanet/jupiter" rel="nofollow noreferrer">Jupiter</a>'
  const far = '<a href="https://far.example/a.png" rel="nofollow noreferrer">far</a>'
  const map = '<img src="/attachments/io.png" alt="map">'
  assert.equal(proseIn(page), `<h2>Io</h2><p>A <em>moon</em> of ${jupiter}, ${map} and ${far}.</p>`)
  assert.ok(page.includes(`<dt>Plain</dt><dd dir="auto">${text}</dd>`))
  // Programs get the text, whose marks are escaped as those of all texts.
  assert.match(
    await pageOf(text, '/t/sol%3Aplanet/x.md'),
    /\n- Text: \\# Io A \\\*moon\\\* of \\\[Jupiter\\\]/,
  )
})

test('no Markdown breaks out of its place on a page', async () => {
  for (const text of [
    '<script>alert(1)</script>',
    '</dd></dl><script>alert(1)</script>',
    '[a](https://a.example/"onmouseover="alert(1))',
    '![" onerror="alert(1)](/attachments/x.png)',
    '![a](/attachments/x".png)',
    '[a](javascript:alert(1)) <javascript:alert(1)>',
    '```"><script>\n</code></pre><script>\n```',
    '`</code><script>`',
    '&lt;script&gt; &#60;script&#62;',
    '|<script>|\n|-|\n|"\'|',
    '[<img src=x onerror=alert(1)>](https://a.example)',
    '3. a\n\u0000\u0007',
  ]) {
    const prose = proseIn(await pageOf(text))
    assert.notEqual(prose, '', text)
    assert.doesNotMatch(
      prose.replaceAll(/"[^"]*"/g, '""'),
      /<(?!\/?(?:p|a|img|pre|code|table|thead|tbody|tr|th|td|ol|li)\b)|<[^>]*\s(?!href|rel|src|alt|start)\w+=/,
    )
    assert.doesNotMatch(prose, /(?:href|src)="(?!\/|https?:)/)
  }
})

test('the Markdown of a page is formatted up to 50,000 characters, and the rest is shown as it is', async () => {
  const types = [
    {
      type: 'sol:planet',
      schema: { properties: { text: { items: {}, contentMediaType: 'text/markdown' } } },
    },
  ]
  const part = `*${'a'.repeat(29_998)}*`
  const { page } = await world([{ id: 'x', attributes: { text: [part, part, '*b*'] } }], {}, { types })
  const text = await page('/t/sol%3Aplanet/x')
  assert.equal(text.match(/<em>a+<\/em>/g)?.length, 1)
  assert.ok(text.includes(`<li>${part}</li><li><div class="prose" dir="auto"><p><em>b</em></p></div></li>`))
})

test('a cell of a table shows Markdown as it is', () => {
  const schema = { properties: { text: { contentMediaType: 'text/markdown' } } }
  assert.equal(cellHtml('*a*', 'text', schema, new Map())?.text, '*a*')
})
