-- A notice that is given up has no next time: greatest() passes over a null.
create or replace function public.notice_state()
returns table (
  way text, sent_at timestamptz, failed_at timestamptz, fault text, reply text, stuck bigint,
  next_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select w.way, w.sent_at, w.failed_at, w.fault, w.reply,
    count(n.message_id) filter (
      where n.attempts > 0 or n.due_at < now() - interval '15 minutes'
    ),
    case when count(n.due_at) > 0 then greatest(min(n.due_at), w.next_at) end
  from private.notice_ways w left join private.notices n on n.way = w.way
  where w.is_on and private.owns_inbox() and private.second_factor_is_met()
  group by w.way order by w.way
$$;
