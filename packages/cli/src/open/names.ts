import { NAMEABLE, type Names } from '@worldwright/client/foreign'
import { InvalidArgumentError } from 'commander'

/** Help text for the value of `--names`. */
export const NAMES_HELP = `names that this world has for members, as ${NAMEABLE[0]}=page.data,${NAMEABLE[2]}=header:next-cursor (${NAMEABLE.join(', ')})`

/** Parses a list of names and adds them to `before`. @throws InvalidArgumentError if the list is invalid */
export function parseNames(text: string, before: Names = {}): Names {
  const pairs = text.split(',').map((pair) => {
    const [, name = '', path = ''] = /^\s*([a-zA-Z]+)=(.*?)\s*$/.exec(pair) ?? []
    if (!NAMEABLE.some((one) => one === name))
      throw new InvalidArgumentError(`A name is one of ${NAMEABLE.join(', ')}, such as cursor=page.after.`)
    return [name, path]
  })
  return { ...before, ...Object.fromEntries(pairs) }
}
