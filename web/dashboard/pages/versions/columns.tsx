import type { Deployment } from '../../../../src/deployments/versions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { numberText, State, Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'

/** In one word how far a version is released. */
export function VersionState({ release_mode, limit }: Pick<Deployment, 'release_mode' | 'limit'>) {
  if (release_mode === 'pending') return <State word={texts.notReleased} tone="plain" />
  if (limit !== null) return <State word={texts.staged} tone="warning" />
  if (release_mode === 'beta') return <State word={texts.inBeta} tone="warning" />
  return <State word={texts.released} tone="good" />
}

/** To whom a version is offered. */
export function audienceText({ release_mode, limit }: Deployment): string {
  if (release_mode === 'pending') return texts.toNobody
  const whom = release_mode === 'beta' ? texts.toBeta : texts.toAll
  if (limit === null) return whom
  const some = limit === 1 ? texts.toOne : fill(texts.toSome, { count: numberText(limit) })
  return release_mode === 'beta' ? `${whom}, ${some}` : some
}

const buildsText = ({ has_free, has_premium }: Deployment): string => {
  if (has_free && has_premium) return texts.bothBuilds
  return has_free ? texts.freeBuild : has_premium ? texts.premiumBuild : texts.none
}

export const VERSION_COLUMNS: readonly Column<Deployment>[] = [
  { label: texts.version, show: ({ version }) => version },
  { label: texts.state, show: VersionState },
  { label: texts.releasedTo, show: audienceText },
  { label: texts.builds, show: buildsText },
  { label: texts.users, show: ({ uniques }) => numberText(uniques), isNumber: true },
  { label: texts.downloads, show: ({ downloaded }) => numberText(downloaded), isNumber: true },
  { label: texts.uploaded, show: ({ created }) => <Time time={created} /> },
]
