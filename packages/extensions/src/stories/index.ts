/** Stories of a world: their form, and their reader. */

export { blockOf, readStory, STORY_PATH, type Story, type StoryFault, type StoryPart } from './story.ts'
