import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { actionFiles, loadActions } from './action-files.ts'

const MODULE = (title: string) =>
  `export default { name: 'sol:a', title: '${title}', safe: true, inputSchema: {}, outputSchema: {}, handler: () => 1 }`

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'actions-'))
  await mkdir(join(folder, 'actions'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'actions', name), text)
  return folder
}

test('modules in a folder are loaded as actions, except test and declaration files', async () => {
  const folder = await folderWith({
    'b.ts': MODULE('B'),
    'a.mjs': MODULE('A'),
    'a.test.ts': '',
    'a.d.ts': '',
    'notes.md': '',
  })
  try {
    const files = await actionFiles(folder)
    assert.deepEqual(
      files.map((file) => basename(file)),
      ['a.mjs', 'b.ts'],
    )
    assert.deepEqual(
      (await loadActions(files, createValidator)).map(({ description }) => description.title),
      ['A', 'B'],
    )
  } finally {
    await rm(folder, { recursive: true })
  }
  assert.deepEqual(await actionFiles(folder), [])
})

test('a changed module is reloaded', async () => {
  const folder = await folderWith({ 'a.mjs': MODULE('before') })
  try {
    const files = await actionFiles(folder)
    await loadActions(files, createValidator)
    const [file = ''] = files
    await writeFile(file, MODULE('after'))
    await utimes(file, new Date(), new Date(Date.now() + 5_000))
    assert.equal((await loadActions(files, createValidator))[0]?.description.title, 'after')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the error for a module that is not an action names its file and the missing member', async () => {
  const folder = await folderWith({
    'broken.mjs': 'export default {',
    'empty.mjs': '',
    'half.mjs': 'export default { name: "sol:a" }',
  })
  try {
    const faults: string[] = []
    for (const file of await actionFiles(folder)) {
      await assert.rejects(loadActions([file], createValidator), (error: Error) => {
        faults.push(error.message)
        return error.name === 'ActionFileFault' && error.message.includes(file)
      })
    }
    assert.match(faults[1] ?? '', /exports as default/)
    assert.match(faults[2] ?? '', /needs the member "safe"/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
