import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Deployment } from '../../../../src/deployments/versions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Refusal, Said } from '../../../ui/doing.tsx'
import { Copy, numberText, Time } from '../../format.tsx'
import { Rows } from '../../../ui/Rows.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { useSwitch } from '../../switching.ts'
import { pathOf } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { audienceText, VersionState } from './columns.tsx'
import { ReleaseVersion } from './ReleaseVersion.tsx'
import { Report } from './Report.tsx'

interface OfVersion {
  readonly version: Deployment
  /** What the calls about it begin with. */
  readonly own: string
}

/** One version: its builds, to whom it is offered, and what one does with it. */
export function Version() {
  const { path } = usePlace()
  const { version = '' } = useParams({ strict: false })
  const own = `${path}/tags/${version}`
  return (
    <One<Deployment> title={texts.version} path={own}>
      {(found) => (
        <>
          <Head version={found} own={own} />
          <div className="two">
            <div className="stack">
              <Builds version={found} own={own} />
              <Report own={own} />
            </div>
            <About version={found} />
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

function Head({ version, own }: OfVersion) {
  const [open, setOpen] = useState<'release' | 'delete' | null>(null)
  const [said, setSaid] = useState('')
  const withdrawing = useSwitch<Deployment>({
    own,
    said: ({ release_mode: mode }) =>
      mode === 'pending' ? fill(texts.withdrawn, { version: version.version }) : '',
  })
  const isOut = version.release_mode !== 'pending'
  return (
    <>
      <PageHead
        title={`${texts.version} ${version.version}`}
        state={<VersionState {...version} />}
        actions={
          <Allowed group="deployments">
            {(barred) => (
              <>
                {isOut ? (
                  <Button
                    {...barred}
                    variant="default"
                    onClick={() => withdrawing.change({ release_mode: 'pending' })}
                  >
                    {texts.withdraw}
                  </Button>
                ) : null}
                <Button {...barred} variant="default" onClick={() => setOpen('delete')}>
                  {texts.deleteVersion}
                </Button>
                <Button {...barred} onClick={() => setOpen('release')}>
                  {isOut ? texts.changeRelease : texts.releaseVersion}
                </Button>
              </>
            )}
          </Allowed>
        }
      />
      <Refusal problem={withdrawing.problem} />
      <Said text={isOut ? said : ''} />
      {open === 'release' ? (
        <ReleaseVersion version={version} own={own} close={() => setOpen(null)} say={setSaid} />
      ) : null}
      {open === 'delete' ? <Deleting version={version} own={own} close={() => setOpen(null)} /> : null}
    </>
  )
}

function Deleting({ version, own, close }: OfVersion & { readonly close: () => void }) {
  const { account, product } = usePlace()
  const navigate = useNavigate()
  const leave = () =>
    void navigate({ to: '/$account/$product/versions', params: { account: account.developer_id, product } })
  return (
    <Confirm
      title={texts.deleteVersion}
      text={fill(version.uniques === 1 ? texts.deleteVersionOfOne : texts.deleteVersionMore, {
        version: version.version,
        count: numberText(version.uniques),
      })}
      keep={texts.keepVersion}
      sent={{ method: 'DELETE', path: `${own}.json` }}
      close={close}
      done={leave}
    />
  )
}

function Builds({ version: { version, has_free, has_premium }, own }: OfVersion) {
  const builds = [
    { id: 'premium', name: texts.premiumBuild, isThere: has_premium },
    { id: 'free', name: texts.freeBuild, isThere: has_free },
  ]
  return (
    <section className="stack">
      <h2>{texts.builds}</h2>
      <Rows
        label={texts.builds}
        columns={[{ label: texts.build, show: ({ name }) => name }]}
        actions={({ id, name, isThere }) =>
          isThere ? (
            <a
              href={pathOf(`${own}.zip`, { is_premium: id === 'premium' })}
              download
              aria-label={`${texts.download}: ${name} ${version}`}
            >
              {texts.download}
            </a>
          ) : (
            <span className="muted">{texts.noBuild}</span>
          )
        }
        rows={builds}
      />
    </section>
  )
}

function About({ version }: Pick<OfVersion, 'version'>) {
  return (
    <Facts
      facts={[
        { label: texts.releasedTo, value: audienceText(version) },
        { label: texts.users, value: numberText(version.uniques) },
        { label: texts.downloads, value: numberText(version.downloaded) },
        { label: texts.platformFrom, value: version.requires_platform_version },
        { label: texts.testedUpTo, value: version.tested_up_to_version },
        { label: texts.phpFrom, value: version.requires_programming_language_version },
        { label: texts.sdkVersion, value: version.sdk_version || texts.none },
        { label: texts.unskipped, value: version.is_incremental ? texts.yes : texts.no },
        { label: texts.inSandbox, value: version.is_sandbox ? texts.yes : texts.no },
        { label: texts.uploaded, value: <Time time={version.created} /> },
        { label: texts.id, value: <Copy text={version.id} /> },
      ]}
    />
  )
}
