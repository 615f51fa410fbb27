/** The actions that every world of this server has, before those of its own. */
import { type Action, Actions } from '../action.ts'
import { DISCOVER } from '../discover-action.ts'
import { QUERY } from './query-action.ts'

/** All actions of a world, in the order in which discovery lists them. @throws TypeError as `Actions` */
export function actionsOf(further: readonly Action[] = []): Actions {
  return new Actions([DISCOVER, QUERY, ...further])
}
