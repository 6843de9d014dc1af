import { Button, Modal } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { AuditEntry, AuditPage } from '../../../../src/accounts/audit/schema.ts'
import { fill } from '../../../shared/language.ts'
import { State } from '../../format.tsx'
import { Exporting } from '../../lists/Exporting.tsx'
import { Rows } from '../../../ui/Rows.tsx'
import { ApiCall, Empty, Failure, NothingFound, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { useInAddress } from '../../in-address.ts'
import { usePlace, type AuditSearch } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { ask } from '../../../ui/server.ts'
import { useFocusBack } from '../../../ui/focus-back.ts'
import { texts } from '../../texts/texts.ts'
import { columnsOf } from './columns.tsx'
import { Narrowing } from './Narrowing.tsx'

/** Entries of a page. One more is asked for, which says whether there are older ones. */
const PAGE = 25

/** What the address narrows the log to. */
function useNarrowing(): Omit<AuditSearch, 'mode'> {
  const said = useSearch({ strict: false }) as AuditSearch & { readonly open?: unknown }
  const { mode: _mode, open: _open, ...search } = said
  return search
}

/** Who did what in the account, the latest first; older ones are a page of their own in the address. */
export function Audit() {
  const { account, accountPath } = usePlace()
  const { data: products = [] } = useQuery(productsQuery(account.developer_id))
  const search = useNarrowing()
  const [open, setOpen] = useInAddress('open')
  const path = `${accountPath}/audit.json`
  const query = { ...search, count: PAGE + 1 }
  const { data, error, refetch } = useQuery({
    queryKey: [path, query],
    queryFn: () => ask<AuditPage>(path, query),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead
        title={texts.audit}
        about={texts.auditAbout}
        state={data === undefined ? null : <Chain {...data.chain} />}
        actions={<Exporting kind="audit" query={search} />}
      />
      <Narrowing key={JSON.stringify(search)} search={search} products={products} />
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading isOfRows lines={8} />
      ) : data.entries.length === 0 ? (
        <NoEntries isNarrowed={Object.values(search).some((one) => one !== undefined)} />
      ) : (
        <>
          <Rows
            label={texts.audit}
            columns={columnsOf(products)}
            rows={data.entries.slice(0, PAGE)}
            actions={(entry) => (
              <>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`${texts.details}: #${entry.id}`}
                  onClick={() => setOpen(entry.id)}
                >
                  {texts.details}
                </Button>
                {open === entry.id ? <Details entry={entry} close={() => setOpen('')} /> : null}
              </>
            )}
          />
          <Paging
            isLater={search.before !== undefined}
            older={data.entries[PAGE] && data.entries[PAGE - 1]}
          />
        </>
      )}
      <ApiCall path={path} query={{ ...query, count: PAGE }} />
    </>
  )
}

function NoEntries({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { accountPath } = usePlace()
  const navigate = useNavigate()
  if (!isNarrowed) {
    const making = { path: `${accountPath}/products.json`, body: { title: texts.stepTitle } }
    return <Empty title={texts.noAudit} more={texts.noAuditMore} making={making} />
  }
  return (
    <NothingFound clear={() => void navigate({ to: '.', search: ({ mode }: AuditSearch) => ({ mode }) })} />
  )
}

/** Whether what is shown is as it was written. */
const Chain = ({ checked_to: to, ok }: AuditPage['chain']) =>
  ok ? (
    <State
      word={to === null ? texts.chainLater : fill(texts.chainOk, { to })}
      tone={to === null ? 'plain' : 'good'}
    />
  ) : (
    <State word={texts.chainBroken} tone="bad" />
  )

function Paging({ isLater, older }: { readonly isLater: boolean; readonly older: AuditEntry | undefined }) {
  const navigate = useNavigate()
  const open = (before: string | undefined) =>
    void navigate({ to: '.', search: (now: AuditSearch) => ({ ...now, before }) })
  return (
    <nav className="paging" aria-label={texts.audit}>
      <Button variant="default" size="compact-sm" disabled={!isLater} onClick={() => open(undefined)}>
        {texts.newest}
      </Button>
      <Button variant="default" size="compact-sm" disabled={!older} onClick={() => open(older?.id)}>
        {texts.older}
      </Button>
    </nav>
  )
}

function Details({ entry, close }: { readonly entry: AuditEntry; readonly close: () => void }) {
  useFocusBack(true)
  return (
    <Modal.Root opened onClose={close} radius={10}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{entry.action}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body>
          <pre className="codes" tabIndex={0}>
            <code>{JSON.stringify(entry, null, 2)}</code>
          </pre>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
