import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DefinitionFault } from './definition.ts'
import { readStories } from './stories.ts'

async function folderOf(t: TestContext, files: Record<string, string | Buffer>) {
  const folder = await mkdtemp(join(tmpdir(), 'stories-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'stories'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'stories', name), text)
  return folder
}

/** Returns the problems of the stories in a folder, each as its file, its line and its message. */
async function problemsIn(folder: string) {
  const error: DefinitionFault = await readStories(folder).then(
    () => assert.fail('no problem'),
    (fault) => fault,
  )
  assert.equal(error.name, 'DefinitionFault')
  return error.problems.map(({ file, line, message }) => [file.slice(folder.length), line, message])
}

test('the Markdown files of the folder are the stories, in the order of their names', async (t) => {
  const folder = await folderOf(t, {
    'b.md': '\uFEFF# B\n\nText\n',
    'a-1.md': '---\ntitle: A\ndescription: About\nfeatured: true\n---\n\nText\n',
    'notes.txt': 'nothing',
    '.hidden.md': 'nothing',
  })
  const text = { text: { tag: 'p', children: ['Text'] } }
  assert.deepEqual(await readStories(folder), [
    { name: 'a-1', title: 'A', description: 'About', isFeatured: true, parts: [text] },
    { name: 'b', title: 'B', description: 'Text', isFeatured: false, parts: [text] },
  ])
  assert.deepEqual(await readStories(join(folder, 'stories')), [])
})

test('all faults are told with file and line, also those after front matter', async (t) => {
  const folder = await folderOf(t, {
    'block.md': '---\ntitle: T\n---\n\n```view\nhttps://evil.example/v/sol:moon\n```\n',
    'head.md': '---\ntitle: T\ntags: [a]\n---\n',
    'yaml.md': '---\ntitle: T\ntitle: U\n---\n',
    'list.md': '---\n- a\n---\n',
    'latin.md': Buffer.from('# Caf\xe9', 'latin1'),
    'large.md': `# T\n${' '.repeat(250_000)}`,
    'a b.md': '# T',
  })
  const members = 'front matter has title and description, texts, and featured, true'
  assert.deepEqual(await problemsIn(folder), [
    ['/stories/a b.md', 1, 'the name of a story has letters, digits, - and _, at most 80'],
    ['/stories/block.md', 5, 'a view is an address of this world: /v/TYPE?…, TYPE/ID or /t/TYPE/ID'],
    ['/stories/head.md', 3, members],
    ['/stories/large.md', 1, 'is no file of at most 250000 bytes in the folder of the world'],
    ['/stories/latin.md', 1, 'is not UTF-8'],
    ['/stories/list.md', 1, 'front matter is a mapping of names to values'],
    ['/stories/yaml.md', 3, 'Map keys must be unique'],
  ])
})

test('a link to a file outside the world is not followed, and there are at most 200 stories', async (t) => {
  const folder = await folderOf(t, {})
  await symlink('/etc/hostname', join(folder, 'stories/out.md'))
  assert.match(String((await problemsIn(folder))[0]), /^\/stories\/out\.md,1,is no file/)
  const many = Array.from({ length: 201 }, (_, at) => [`s${String(at).padStart(3, '0')}.md`, '# T'])
  const full = await folderOf(t, Object.fromEntries(many))
  assert.match(
    String((await problemsIn(full))[0]),
    /^\/stories\/s200\.md,1,is number 201; a world has at most 200/,
  )
})
