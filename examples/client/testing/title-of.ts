/** Example of a program to test. */
import { isWorldError, type World } from '@worldwright/client'

/** Returns the title of a moon, or its id if the moon has no title, is missing or cannot be read. */
export async function titleOf(world: World, id: string): Promise<string> {
  try {
    return (await world.get('sol:moon', id)).title ?? id
  } catch (error) {
    if (isWorldError(error) && error.code !== 'invalid_argument') return id
    throw error
  }
}
