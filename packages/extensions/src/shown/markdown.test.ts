import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MarkdownNode, markdownNodes } from './markdown.ts'

/** Writes nodes without escaping, to compare structures. */
function written(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      const { tag, href, start, children } = node
      const attributes = [href !== undefined && ` href=${href}`, start !== undefined && ` start=${start}`]
      return `<${tag}${attributes.filter(Boolean).join('')}>${written(children)}</${tag}>`
    })
    .join('')
}

const read = (text: string) => written(markdownNodes(text, 2) ?? ['unformatted'])

test('Markdown is read as elements of a fixed list', () => {
  for (const [text, expected] of [
    [
      '# A\n###### B\ntext *a* **b** ~~c~~ `d`',
      '<h2>A</h2><h6>B</h6><p>text <em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>',
    ],
    ['- a\n- b\n\n3. c', '<ul><li>a</li><li>b</li></ul><ol start=3><li>c</li></ol>'],
    ['> a\n> b  \n> c', '<blockquote><p>a\nb<br></br>c</p></blockquote>'],
    ['```js\n<b>\n```\n\n---', '<pre><code><b>\n</code></pre><hr></hr>'],
    [
      '|a|b|\n|-|:-:|\n|1|2|',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    ['![A *b*](/attachments/io.png "t")', '<p><img href=/attachments/io.png>A *b*</img></p>'],
    [
      '[a](/t/sol%3Amoon/io?x#y) <https://a.example/ü> [m](mailto:a@b.example)',
      '<p><a href=/t/sol%3Amoon/io?x#y>a</a> <a href=https://a.example/%C3%BC>https://a.example/ü</a> <a href=mailto:a@b.example>m</a></p>',
    ],
  ] as const)
    assert.equal(read(text), expected)
})

test('HTML is text, and so is a link that may not be followed', () => {
  for (const text of [
    '<script>alert(1)</script>',
    'a <b onclick=x>',
    'x <!-- y -->',
    'x <?php ?>',
    '<iframe src="//e.example">',
  ])
    assert.equal(read(text), `<p>${text}</p>`)
  for (const target of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java&#10;script:alert(1)',
    '&#106;avascript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&Tab;:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html,<script>',
    'data:image/png;base64,aaaa',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://sol.example/x',
    'https://sol.example@evil.example/',
    '//sol.example:x@evil.example/',
    '/a/..//evil.example/',
    '/.//evil.example',
    'other.md',
    '../up',
    '#part',
    '?q',
    'https:',
  ])
    for (const text of [`[a](<${target}>)`, `![a](<${target}>)`, `[a]\n\n[a]: <${target}>`, `<${target}>`])
      assert.doesNotMatch(read(text), / href=/, text)
  // A host that follows two slashes is a host, and is named in full.
  assert.equal(read('[a](//evil.example/x)'), '<p><a href=https://evil.example/x>a</a></p>')
  assert.equal(read('[a](/\\evil.example)'), '<p><a href=https://evil.example/>a</a></p>')
})

test('what is too long, too deep or too large is not formatted, so that nothing is left out', () => {
  assert.equal(read('a'.repeat(50_000)), `<p>${'a'.repeat(50_000)}</p>`)
  assert.equal(read('a'.repeat(50_001)), 'unformatted')
  for (const mark of ['>', '> ', '- ', '> - ', '1. '])
    assert.equal(read(`${mark.repeat(10_000)}x`), 'unformatted')
  assert.equal(read(`${'> '.repeat(20)}x`).match(/<blockquote>/g)?.length, 20)
  assert.equal(read(`|${'a|'.repeat(4_000)}\n|${'-|'.repeat(4_000)}\n${'|a\n'.repeat(9_000)}`), 'unformatted')
  // Inline marks beyond the limit are text.
  assert.match(read(`${'*a **b '.repeat(200)}${'** *'.repeat(200)}`), /^<p>/)
  assert.equal(read('[](('.repeat(12_000)), `<p>${'[](('.repeat(12_000)}</p>`)
})
