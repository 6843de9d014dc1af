import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import type { Install as Shown } from '../../../../src/licensing/installs/schema.ts'
import type { User } from '../../../../src/people/users/schema.ts'
import { Copy, nameOf, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { ApiCall, CustomerLink, Facts, PageHead, RawData } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../server.ts'
import { texts } from '../../texts/texts.ts'
import { InstallState, siteOf } from './columns.tsx'

/** One site or machine: what runs there, by whose license, and what happened on it. */
export function Install() {
  const { account, path, product } = usePlace()
  const { install = '' } = useParams({ strict: false })
  const own = `${path}/installs/${install}`
  return (
    <One<Shown> title={texts.install} path={own}>
      {(found) => (
        <>
          <PageHead title={siteOf(found)} state={<InstallState {...found} />} />
          <div className="two">
            <Part<EventLog>
              title={texts.events}
              path={`${own}/events.json`}
              items="events"
              columns={HAPPENED}
              wayTo={({ id }) => ({
                to: '/$account/$product/events/$event',
                params: { account: account.developer_id, product, event: id },
              })}
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

const HAPPENED = [
  { label: texts.event, show: ({ type }: EventLog) => <code>{type}</code> },
  { label: texts.happened, show: ({ created }: EventLog) => <Time time={created} /> },
]

function About({ install }: { readonly install: Shown }) {
  const { account, path, product } = usePlace()
  const { data: owner } = useQuery({
    queryKey: [`${path}/users/${install.user_id}`],
    queryFn: () => ask<User>(`${path}/users/${install.user_id}.json`),
  })
  const license = install.license_id
  return (
    <Facts
      facts={[
        {
          label: texts.customer,
          value: <CustomerLink id={install.user_id} name={owner ? nameOf(owner) : texts.loading} />,
        },
        {
          label: texts.license,
          value:
            license === null ? null : (
              <Link
                to="/$account/$product/licenses/$license"
                params={{ account: account.developer_id, product, license }}
              >
                #{license}
              </Link>
            ),
        },
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
