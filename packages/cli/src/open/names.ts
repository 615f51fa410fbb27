/** Member names of another server's world, as given on the command line: `entities=page.data,cursor=after`. */
import { NAMEABLE, type Names } from '@worldwright/client/foreign'
import { InvalidArgumentError } from 'commander'

/** Description of the `--names` value, for help and messages. */
export const NAMES_HELP = `names of members in this world, as ${NAMEABLE[0]}=page.data,${NAMEABLE[2]}=after (${NAMEABLE.join(', ')})`

/** Adds the names in a text to earlier ones. @throws InvalidArgumentError if the text is no such list */
export function parseNames(text: string, before: Names = {}): Names {
  const pairs = text.split(',').map((pair) => {
    const [, name = '', path = ''] = /^\s*([a-zA-Z]+)=(.*?)\s*$/.exec(pair) ?? []
    if (!NAMEABLE.some((one) => one === name))
      throw new InvalidArgumentError(`A name is one of ${NAMEABLE.join(', ')}, such as cursor=page.after.`)
    return [name, path]
  })
  return { ...before, ...Object.fromEntries(pairs) }
}
