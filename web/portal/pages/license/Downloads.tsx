import { Button } from '@mantine/core'
import type { OwnVersion } from '../../../../src/deployments/versions/own-version-schema.ts'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { pathOf } from '../../../ui/server.ts'
import { dayText, isOver, sizeText, State } from '../../format.tsx'
import { Part } from '../../Part.tsx'
import { useHere } from '../../place.ts'
import { useVisit } from '../../session.ts'
import { texts } from '../../texts/texts.ts'

/** The versions that a license opens, each with what changed in it. */
export function Downloads({ license }: { readonly license: License }) {
  const { path } = useHere()
  const query = { license_id: license.id }
  return (
    <Part<OwnVersion>
      title={texts.downloads}
      path={`${path}/tags.json`}
      items="tags"
      query={query}
      empty={isOver(license) ? texts.noDownloadsOver : texts.noDownloads}
      draw={(versions) => (
        <ul className="panel versions" aria-label={texts.downloads}>
          {versions.map((one, at) => (
            <Version
              key={one.id}
              version={one}
              address={pathOf(`${path}/tags/${one.id}.zip`, query)}
              isFirst={at === 0}
            />
          ))}
        </ul>
      )}
    />
  )
}

interface VersionOf {
  readonly version: OwnVersion
  readonly address: string
  readonly isFirst: boolean
}

function Version({ version: one, address, isFirst }: VersionOf) {
  const { is_view_only: isViewOnly } = useVisit()
  return (
    <li>
      <div className="line">
        <strong>{one.version}</strong>
        {one.release_mode === 'beta' ? <State word={texts.beta} tone="warning" /> : null}
        {one.is_premium ? null : <State word={texts.free} tone="" />}
        <span className="muted">
          {dayText(one.created)} · {sizeText(one.size)}
        </span>
        {isViewOnly ? null : (
          <Button
            component="a"
            href={address}
            download
            size="compact-sm"
            variant={isFirst ? 'filled' : 'default'}
            aria-label={fill(texts.downloadOf, { version: one.version })}
          >
            {texts.downloadVersion}
          </Button>
        )}
      </div>
      {one.changes === null ? null : (
        <details>
          <summary>{texts.changes}</summary>
          <p>{one.changes}</p>
        </details>
      )}
    </li>
  )
}
