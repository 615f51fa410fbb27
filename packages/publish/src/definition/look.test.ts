import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { definitionFromText } from './definition.ts'
import { readLook } from './look.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')

async function looked(t: TestContext, look: string, files: Record<string, string | Buffer>) {
  const folder = await mkdtemp(join(tmpdir(), 'look-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  await symlink('/etc/hostname', join(folder, 'out.png'))
  const file = join(folder, 'world.yaml')
  return readLook({ definition: definitionFromText(`look: ${look}`, file), file, folder })
}

test('pictures have the media type of their bytes, whatever their names, and paths that depend on their content', async (t) => {
  const svg = '<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
  const { picture, logo } = await looked(t, '{picture: a.txt, logo: b.png}', { 'a.txt': PNG, 'b.png': svg })
  assert.equal(picture?.mediaType, 'image/png')
  assert.match(picture.path, /^\/_pages\/picture-[\w-]{12}\.png$/)
  assert.deepEqual(Buffer.from(picture.bytes), PNG)
  assert.equal(logo?.mediaType, 'image/svg+xml')
  assert.match(logo.path, /^\/_pages\/logo-[\w-]{12}\.svg$/)
})

test('files that are no pictures, too large, missing or outside the folder are refused', async (t) => {
  const files = {
    'page.svg': '<html><svg></svg></html>',
    'large.png': Buffer.concat([PNG, Buffer.alloc(1e6)]),
  }
  for (const name of ['page.svg', 'large.png', 'none.png', 'out.png', '../out.png', '/etc/hostname'])
    await assert.rejects(looked(t, `{logo: ${name}}`, files), {
      name: 'DefinitionFault',
      message: new RegExp(`world\\.yaml: /look/logo ${name} is no picture of at most 1000000 bytes`),
    })
})

test('accents that cannot be read are refused with their contrast and a shade that can', () => {
  const messageFor = (accent: string) => {
    try {
      definitionFromText(`look:\n  accent: ${accent}\n`, 'world.yaml')
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }
  assert.equal(messageFor('{light: "#0b57d0", dark: "#8ab4f8"}'), undefined)
  assert.equal(
    messageFor('{light: "#ff8800", dark: "#0b57d0"}'),
    [
      'world.yaml:2: /look/accent/light #ff8800 has a contrast of 2.0:1 in the light scheme, and text needs 4.5:1; #a65800 has it',
      'world.yaml:2: /look/accent/dark #0b57d0 has a contrast of 2.3:1 in the dark scheme, and text needs 4.5:1; #5c8ee0 has it',
    ].join('\n'),
  )
  assert.equal(messageFor('{light: "#a65800", dark: "#6d9be3"}'), undefined)
  assert.match(
    messageFor('{light: red, dark: "#8ab4f8"}') ?? '',
    /accent\/light is not what is wanted here: A colour/,
  )
  assert.match(messageFor('"#0b57d0"') ?? '', /\/look\/accent must be an object/)
})

test('tiles need an https address with each placeholder once, and an attribution', async (t) => {
  const faultOf = (url: string, attribution = 'attribution: © T') => {
    try {
      definitionFromText(`name: T\ntiles:\n  url: ${JSON.stringify(url)}\n  ${attribution}\n`, 'world.yaml')
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }
  for (const url of ['https://t.example/{z}/{x}/{y}.png', 'https://t.example:8443/a?l={y}&m={x}&n={z}&key=k'])
    assert.equal(faultOf(url), undefined, url)
  for (const url of [
    'http://t.example/{z}/{x}/{y}.png',
    '//t.example/{z}/{x}/{y}.png',
    'https://{x}.t.example/{z}/{y}.png',
    'https://me@t.example/{z}/{x}/{y}.png',
    'https://t.example/{z}/{x}.png',
    'https://t.example/{z}/{x}/{y}/{y}.png',
    'https://t.example/{s}/{z}/{x}/{y}.png',
    'https://t.example/{z}/{x}/{y}.png#a',
    'https://t.example/{z}/{x}/{y} .png',
    'https://t.example?{z}/{x}/{y}',
  ])
    assert.equal(
      faultOf(url),
      'world.yaml:3: /tiles/url is not what is wanted here: An https address with {z}, {x} and {y} once each, after the host.',
      url,
    )
  const url = 'https://t.example/{z}/{x}/{y}.png'
  assert.equal(faultOf(url, ''), 'world.yaml:2: /tiles attribution is missing')
  assert.match(faultOf(url, 'attribution: " "') ?? '', /^world\.yaml:4: \/tiles\/attribution/)
  assert.match(faultOf(url, `attribution: ${'x'.repeat(201)}`) ?? '', /^world\.yaml:4: \/tiles\/attribution/)
  assert.equal((await looked(t, '{}', {})).tiles, undefined)
})
