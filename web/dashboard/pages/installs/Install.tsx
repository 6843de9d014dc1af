import { useParams } from '@tanstack/react-router'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import type { Install as Shown } from '../../../../src/licensing/installs/schema.ts'
import { Copy, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { NumberLink, Owner } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { EVENT_COLUMNS } from '../events/columns.tsx'
import { ToExplain } from '../explain/ToExplain.tsx'
import { InstallState, siteOf } from './columns.tsx'

/** One site or machine: what runs there, by whose license, and what happened on it. */
export function Install() {
  const { path, wayTo } = usePlace()
  const { install = '' } = useParams({ strict: false })
  const own = `${path}/installs/${install}`
  return (
    <One<Shown> title={texts.install} path={own}>
      {(found) => (
        <>
          <PageHead
            title={siteOf(found)}
            state={<InstallState {...found} />}
            actions={
              found.license_id === null ? undefined : <ToExplain license={found.license_id} uid={found.uid} />
            }
          />
          <div className="two">
            <Part<EventLog>
              title={texts.events}
              path={`${own}/events.json`}
              items="events"
              columns={EVENT_COLUMNS}
              wayTo={({ id }) => wayTo('event', id)}
              empty={texts.noEvents}
            />
            <About install={found} />
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={{ ...found, secret_key: undefined }} />
        </>
      )}
    </One>
  )
}

function About({ install }: { readonly install: Shown }) {
  return (
    <Facts
      facts={[
        { label: texts.customer, value: <Owner id={install.user_id} /> },
        { label: texts.license, value: <NumberLink kind="license" id={install.license_id} /> },
        { label: texts.version, value: install.version },
        { label: texts.platform, value: install.platform_version },
        { label: texts.country, value: install.country_code?.toUpperCase() },
        { label: texts.language, value: install.language },
        { label: texts.lastSeen, value: <Time time={install.last_seen_at} /> },
        { label: texts.created, value: <Time time={install.created} /> },
        { label: texts.id, value: <Copy text={install.id} /> },
      ]}
    />
  )
}
