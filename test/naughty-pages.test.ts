import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { pages } from '@worldwright/extensions/pages'
import { memorySearch } from '@worldwright/search/entities'
import { realData } from './real-data.ts'

test('no naughty string leaves its place on a page', async (t) => {
  const file = realData(t, 'hostile/blns/blns.txt')
  if (file === undefined) return
  const texts = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  assert.ok(texts.length > 400)
  const storage = createMemoryStore({ search: memorySearch })
  await storage.write(
    texts.map((text, at) => ({
      put: {
        type: 'x:text',
        id: `t${at}`,
        title: text,
        summary: text,
        attributes: { text, list: [{ [text]: text }] },
      },
    })),
  )
  const description = { id: 'urn:example:texts', types: [{ type: 'x:text' }] }
  const publicUrl = 'https://texts.example'
  const handler = createWorld({ ...description, store: storage, publicUrl, extensions: [pages()] })
  const plain = createMemoryStore({ search: memorySearch })
  await plain.write([
    {
      put: {
        type: 'x:text',
        id: 't0',
        title: 'a',
        summary: 'a',
        attributes: { text: 'a', list: [{ a: 'a' }] },
      },
    },
  ])
  const harmless = createWorld({
    ...description,
    store: plain,
    publicUrl,
    extensions: [pages()],
  })
  const pageOf = async (world: typeof handler, at: number) => {
    const target = `/t/x%3Atext/t${at}`
    const { status, body } = await world.handle({ method: 'GET', target, headers: {} })
    assert.equal(status, 200)
    return Buffer.from(body as Uint8Array).toString()
  }
  /** Returns the tags with the names of their attributes, which an injected text would change. */
  const skeleton = (page: string) =>
    page
      .match(/<[^>]+>/g)
      ?.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))
      // A web URL becomes a link.
      .filter((tag) => !/^<(?:a href="" rel=""|\/a)>$/.test(tag))
      .join('')
  const expected = skeleton(await pageOf(harmless, 0))
  const summary = '<p class="" dir=""></p>'
  assert.equal(expected?.split(summary).length, 2)
  for (const [at, text] of texts.entries()) {
    // A summary without visible characters is left out.
    const isBlank = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
    const own: string | undefined = isBlank ? expected?.replace(summary, '') : expected
    assert.equal(skeleton(await pageOf(handler, at)), own, text)
  }
})
