import { useQuery } from '@tanstack/react-query'
import type { RoleRights } from '../../../../src/accounts/team/member-schema.ts'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { groupText, rightText, roleText } from './roles.ts'

interface OfGroup {
  readonly id: string
}

/** What each role may do with each group of operations, as the server has it. */
export function RolesTable() {
  const { accountPath } = usePlace()
  const path = `${accountPath}/roles.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<{ roles: readonly RoleRights[] }>(path),
  })
  return (
    <section className="stack">
      <h2>{texts.whatRolesMay}</h2>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Rows<OfGroup>
          label={texts.whatRolesMay}
          columns={columnsOf(data.roles)}
          rows={groupsOf(data.roles)}
        />
      )}
    </section>
  )
}

const groupsOf = ([first]: readonly RoleRights[]): OfGroup[] =>
  Object.keys(first?.rights ?? {}).map((id) => ({ id }))

const columnsOf = (roles: readonly RoleRights[]): Column<OfGroup>[] => [
  { label: texts.group, show: ({ id }) => groupText(id) },
  ...roles.map(({ role, rights }) => ({
    label: roleText(role),
    show: ({ id }: OfGroup) => {
      const right = rights[id] ?? 'none'
      return <span className={right === 'none' ? 'muted' : ''}>{rightText(right)}</span>
    },
  })),
]
