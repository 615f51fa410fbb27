/** Incremental XML parsing. */
import { SaxesParser } from 'saxes'

/** XML parser callbacks. Element names are passed without their namespace prefixes. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** Maximum number of characters between tags. The parser keeps them in memory. */
const MAX_STRETCH = 16 * 1024 * 1024

/**
 * Creates an incremental parser that calls the handlers. It throws if the text is not well-formed XML or refers to entities
 * declared by the document.
 */
export function createXmlParser({ open, close, text }: XmlHandlers) {
  const parser = new SaxesParser({ xmlns: false, position: true })
  parser.on('error', (error) => {
    throw error
  })
  let stretch = 0
  parser.on('opentag', ({ name, attributes }) => {
    stretch = 0
    open?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    stretch = 0
    close?.(localName(name))
  })
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  return {
    write: (chunk: string) => {
      stretch += chunk.length
      parser.write(chunk)
      if (stretch > MAX_STRETCH) throw new Error(`${MAX_STRETCH} characters without a tag`)
    },
    end: () => {
      parser.close()
    },
  }
}

/** Parses a whole part. @throws as the parser does */
export async function walkXml(chunks: AsyncIterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = createXmlParser(handlers)
  let isEmpty = true
  for await (const chunk of chunks) {
    parser.write(chunk)
    isEmpty &&= chunk === ''
  }
  if (!isEmpty) parser.end()
}

/** Returns an attribute by its local name. For `id`, this is `id` or, if absent, a prefixed attribute such as `r:id`. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name]
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1]
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
