import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStory, type Story, type StoryFault } from './index.ts'

const story = (text: string, head = {}) => readStory(text, head) as Omit<Story, 'name'>
const faults = (text: string) => readStory(text, {}) as readonly StoryFault[]
const view = (address: string) => `\`\`\`view\n${address}\n\`\`\`\n`

test('a story has the title of its heading, the description of its first paragraph, and its blocks with their lines', () => {
  const { title, description, parts } = story(
    `# The *moons*\n\nThere are many.\n\n${view('/v/sol%3Amoon?sort=-radius')}\n${view('sol:moon/io')}\n${view('/t/sol%3Amoon/a%2Fb')}`,
  )
  assert.deepEqual([title, description], ['The moons', 'There are many.'])
  assert.deepEqual(parts, [
    { text: { tag: 'p', children: ['There are many.'] } },
    { line: 5, type: 'sol:moon', query: 'sort=-radius' },
    { line: 9, entity: { type: 'sol:moon', id: 'io' } },
    { line: 13, entity: { type: 'sol:moon', id: 'a/b' } },
  ])
})

test('front matter names title and description, and then all headings stay, below that of the page', () => {
  const { title, description, isFeatured, parts } = story('# Kept\n\nText', {
    title: 'Moons',
    description: 'Of planets',
    isFeatured: true,
  })
  assert.deepEqual([title, description, isFeatured], ['Moons', 'Of planets', true])
  assert.deepEqual(parts[0], { text: { tag: 'h2', children: ['Kept'] } })
})

test('a fence within a fence is text', () => {
  const { parts } = story(`# T\n\n\`\`\`\`md\n${view('/v/sol:moon')}\`\`\`\`\n`)
  assert.deepEqual(parts, [
    { text: { tag: 'pre', children: [{ tag: 'code', children: [view('/v/sol:moon')] }] } },
  ])
})

test('addresses that are not of views or entities of the same world are refused with their line', () => {
  for (const address of [
    'https://evil.example/v/sol:moon',
    '//evil.example/v/sol:moon',
    'javascript:alert(1)',
    '/v/sol:moon/x',
    '/v/sol:moon#x',
    '/v/%zz',
    '/api/world/v0',
    '/t/sol:moon',
    'sol:moon',
    'sol:moon/..',
    'sol:moon/io?x=1',
    '/v/sol:moon\n/v/sol:planet',
    '',
  ])
    assert.deepEqual(
      faults(`# T\n\n${view(address)}`),
      [{ line: 3, message: 'a view is an address of this world: /v/TYPE?…, TYPE/ID or /t/TYPE/ID' }],
      address,
    )
})

test('a fence within a list or a quote is text', () => {
  for (const text of ['> ```view\n> /v/sol:moon\n> ```', '- ```view\n  /v/sol:moon\n  ```'])
    assert.match(JSON.stringify(story(`# T\n\n${text}\n`).parts), /^\[\{"text":.*"code".*sol:moon/)
})

test('stories without a title, and those that are too long or have too many blocks, are refused', () => {
  assert.match(faults('Text')[0]?.message ?? '', /^has no title/)
  assert.match(faults(`# T\n${'x'.repeat(50_000)}`)[0]?.message ?? '', /^is longer than 50000 characters/)
  assert.match(faults(`# T\n\n${'>'.repeat(50)} x`)[0]?.message ?? '', /nested too deeply/)
  const twenty = `# T\n\n${view('sol:moon/io').repeat(20)}`
  assert.equal(story(twenty).parts.length, 20)
  assert.deepEqual(faults(twenty + view('sol:moon/io')), [
    { line: 63, message: 'has more than 20 views and entities' },
  ])
})
