// What each route of the service takes and answers. Written from the table of routes by a test
// (`UPDATE_GOLDEN=1 cargo test --test it -- golden::types`), and not by hand.

/** The options of a call, as far as its route takes them. */
export type Options<R extends keyof Routes> = Routes[R]["takes"] & { signal?: AbortSignal };

export interface Routes {
  "GET /": {
    takes: {  };
    answer: null;
  };
  "GET /api/actors": {
    takes: {  };
    answer: { actors: Array<{ connectionId: string | null; crashes: number; id: string; kind: string; lastError: string | null; restarts: number; since: string; state: "running" | "restarting" | "parked" | "stopped" | "failed" }> };
  };
  "POST /api/actors/{id}/restart": {
    takes: { path: { id: string }; body?: {  } };
    answer: { id: string; sessionsEnded: number | null };
  };
  "GET /api/agents": {
    takes: {  };
    answer: { agents: Array<{ createdAt: string; expiresAt: string | null; lastCallAt: string | null; liveSessions: number; name: string; revokedAt: string | null; sectors: Array<string>; status: "active" | "revoked" | "expired" }> };
  };
  "POST /api/agents": {
    takes: { body: { expiresInDays?: number | null; name: string; sectors: Array<string> } };
    answer: { expiresAt: string | null; key: string; name: string; replaced: boolean; sectors: Array<string>; sessionsEnded: number; warnings: Array<string> };
  };
  "POST /api/agents/revoke-all": {
    takes: { body?: {  } };
    answer: { revoked: number; sessionsEnded: number };
  };
  "DELETE /api/agents/{name}": {
    takes: { path: { name: string }; body?: {  } };
    answer: { sessionsEnded: number };
  };
  "GET /api/agents/{name}": {
    takes: { path: { name: string } };
    answer: { createdAt: string; expiresAt: string | null; lastCallAt: string | null; liveSessions: number; name: string; revokedAt: string | null; sectors: Array<string>; status: "active" | "revoked" | "expired" };
  };
  "PATCH /api/agents/{name}": {
    takes: { path: { name: string }; body: { expiresInDays?: number | null; sectors?: Array<string> } };
    answer: { createdAt: string; expiresAt: string | null; lastCallAt: string | null; liveSessions: number; name: string; revokedAt: string | null; sectors: Array<string>; sessionsEnded: number; status: "active" | "revoked" | "expired"; warnings: Array<string> };
  };
  "POST /api/agents/{name}/preview": {
    takes: { path: { name: string }; body: { arguments?: any; tool: "describe_context" | "get_schema" | "query" | "get_record" | "list_actions" } };
    answer: { agent: { expires_at: string | null; name: string }; freshness: Record<string, { connections: Array<{ as_of: string | null; covers_from: string | null; ends_at?: string; label: string; problem?: any; sample?: boolean; state: string }>; targets: Array<string> }>; now: string; sectors: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; timezone: string } | { every_record: Record<string, string>; tables: Array<{ about: string; covers?: Array<string>; examples: Array<Record<string, any>>; fields: Record<string, { more_values?: number; searchable?: boolean; type: string; unit?: string; untrusted?: boolean; values?: Array<string> }>; joins?: Record<string, string>; rows: number; target: string }> } | { as_of: string | null; change_cursor?: string; columns: Array<string>; deleted?: Array<string>; empty?: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; matched?: number; next_cursor: string | null; notes?: Array<string>; returned: number; rows: Array<Array<any> | Record<string, any>>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> } | { behind?: Array<{ because: string; connection: string; id: string; raw: any; source_id: string }>; notes?: Array<string>; record: Record<string, any>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> } | { empty: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; notes?: Array<string>; record: null; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string } | { actions: Array<any>; notes?: Array<string> };
  };
  "POST /api/agents/{name}/revoke": {
    takes: { path: { name: string }; body?: {  } };
    answer: { sessionsEnded: number };
  };
  "POST /api/agents/{name}/rotate": {
    takes: { path: { name: string }; body?: {  } };
    answer: { expiresAt: string | null; key: string; name: string; replaced: boolean; sectors: Array<string>; sessionsEnded: number };
  };
  "GET /api/agents/{name}/snippets": {
    takes: { path: { name: string } };
    answer: { snippets: Array<{ client: string; file?: string; kind: "shell" | "json" | "code" | "steps"; needsPublicUrl: boolean; text: string }> };
  };
  "GET /api/aggregator-apps": {
    takes: {  };
    answer: { apps: Array<{ clientIdHint: string | null; configured: boolean; help: string; name: string; pastedRedirectUri: string; provider: string; redirectUri: string }> };
  };
  "DELETE /api/aggregator-apps/{provider}": {
    takes: { path: { provider: string }; body?: {  } };
    answer: null;
  };
  "PUT /api/aggregator-apps/{provider}": {
    takes: { path: { provider: string }; body: { clientId: string; clientSecret: string; environment?: "production" | "sandbox" } };
    answer: null;
  };
  "GET /api/aggregator-apps/{provider}/banks": {
    takes: { path: { provider: string }; query?: { country?: string | null } };
    answer: { banks: Array<{ beta: boolean; bic: string | null; business: boolean; consentDays: number; country: string; name: string; personal: boolean }> };
  };
  "POST /api/aggregator-apps/{provider}/link": {
    takes: { path: { provider: string }; body: { bank?: string; business?: boolean; country?: string; signInId?: string | null } };
    answer: { attemptId: string; redirectUri: string; returnWay: "callback" | "paste"; url: string };
  };
  "GET /api/audit": {
    takes: { query?: { agent?: string | null; tool?: string | null; sector?: string | null; decision?: "allow" | "deny" | null; outcome?: "ok" | "error" | null; result?: "allowed" | "denied" | "errored" | null; from?: string | null; to?: string | null; q?: string | null; limit?: number | null; before?: string | null; after?: string | null } };
    answer: { next: string | null; prev: string | null; rows: Array<{ agent_id: string | null; args: any; created_at: string; decision: "allow" | "deny"; deny_reason: string | null; id: string; outcome: "ok" | "error" | null; request_id: string | null; result_count: number | null; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" | null; tool: string }>; searched_back_to?: string; searched_up_to?: string };
  };
  "GET /api/audit.csv": {
    takes: { query?: { agent?: string | null; tool?: string | null; sector?: string | null; decision?: "allow" | "deny" | null; outcome?: "ok" | "error" | null; result?: "allowed" | "denied" | "errored" | null; from?: string | null; to?: string | null; q?: string | null } };
    answer: null;
  };
  "GET /api/audit/facets": {
    takes: {  };
    answer: { agents: Array<string>; tools: Array<string> };
  };
  "GET /api/audit/{id}": {
    takes: { path: { id: string } };
    answer: { agent_id: string | null; args: any; created_at: string; decision: "allow" | "deny"; deny_reason: string | null; id: string; outcome: "ok" | "error" | null; request_id: string | null; result_count: number | null; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" | null; tool: string };
  };
  "GET /api/connections": {
    takes: { query?: { runs?: number | null } };
    answer: { connections: Array<{ account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastRuns?: Array<{ changed: number; outcome: string | null; startedAt: string }>; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string }> };
  };
  "POST /api/connections": {
    takes: { body: { label: string; provider: "push"; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; table?: string | null } | { credentials: Record<string, string | null>; label?: string | null; provider: "icloud" | "own_server" | "home_assistant" | "simplefin"; sectors?: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home"> | null } };
    answer: { connections: Array<{ account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string }>; ingestUrl: string; secret: string } | { connections: Array<{ account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string }>; missing: Array<{ message: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; signInId: string };
  };
  "GET /api/connections/{id}": {
    takes: { path: { id: string } };
    answer: { account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; rows: number | null; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string };
  };
  "PATCH /api/connections/{id}": {
    takes: { path: { id: string }; body: { syncIntervalMinutes?: number; syncWindowDays?: number | null } };
    answer: { account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string };
  };
  "GET /api/connections/{id}/action-domains": {
    takes: { path: { id: string } };
    answer: { domains: Array<{ domain: string; entities: number; isOffered: boolean; isOfferedByDefault: boolean }>; isDefault: boolean };
  };
  "POST /api/connections/{id}/action-domains": {
    takes: { path: { id: string }; body: { leftOut: Array<string> | null } };
    answer: { domains: Array<{ domain: string; entities: number; isOffered: boolean; isOfferedByDefault: boolean }>; isDefault: boolean };
  };
  "POST /api/connections/{id}/disconnect": {
    takes: { path: { id: string }; body?: { rows?: "keep" | "delete" | null } };
    answer: { consent: { ended: boolean; message: string } | null; deleted: number; id: string; rows: "keep" | "delete" };
  };
  "POST /api/connections/{id}/pause": {
    takes: { path: { id: string }; body?: {  } };
    answer: { account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string };
  };
  "GET /api/connections/{id}/pushes": {
    takes: { path: { id: string }; query?: { limit?: number | null; before?: string | null } };
    answer: { next: string | null; rows: Array<{ at: string; bytes: number | null; deleted: number; inserted: number; outcome: "stored" | "refused"; refusal: { error: string; message: string; problem: { field: string; index: number; message: string } | null } | null; rejected: number; unchanged: number; updated: number; upserted: number }> };
  };
  "POST /api/connections/{id}/restart": {
    takes: { path: { id: string }; body?: {  } };
    answer: { id: string };
  };
  "POST /api/connections/{id}/resume": {
    takes: { path: { id: string }; body?: {  } };
    answer: { account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string };
  };
  "POST /api/connections/{id}/rotate-secret": {
    takes: { path: { id: string }; body?: {  } };
    answer: { ingestUrl: string; secret: string };
  };
  "GET /api/connections/{id}/runs": {
    takes: { path: { id: string }; query?: { limit?: number | null } };
    answer: { rows: Array<{ deleted: number; endedAt: string | null; id: number; message: string | null; outcome: string | null; skipped: number; startedAt: string; upserted: number }> };
  };
  "POST /api/connections/{id}/sync-now": {
    takes: { path: { id: string }; body?: {  } };
    answer: { runId: number | null };
  };
  "POST /api/data/{sector}": {
    takes: { path: { sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }; body: { aggregate?: Record<string, string>; budget?: number; changed_since?: string; count?: boolean; cursor?: string; format?: "rows" | "records"; group_by?: Array<string>; limit?: number; order_by?: Array<string>; search?: string; select?: Array<string>; target: string; where?: Record<string, any> } };
    answer: { as_of: string | null; change_cursor?: string; columns: Array<string>; deleted?: Array<string>; empty?: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; matched?: number; next_cursor: string | null; notes?: Array<string>; returned: number; rows: Array<Array<any> | Record<string, any>>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> };
  };
  "GET /api/data/{sector}/{id}": {
    takes: { path: { sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; id: string }; query?: { raw?: "true" | "false" | null; field?: string | null; from?: number | null } };
    answer: { behind?: Array<{ because: string; connection: string; id: string; raw: any; source_id: string }>; notes?: Array<string>; record: Record<string, any>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> };
  };
  "POST /api/erase": {
    takes: { body: { connectionId: string; scope: "connection" } | { scope: "sector"; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" } | { scope: "all" } };
    answer: { deleted: number; tables: Record<string, number> };
  };
  "POST /api/erase/preview": {
    takes: { body: { connectionId: string; scope: "connection" } | { scope: "sector"; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" } | { scope: "all" } };
    answer: { deleted: number; tables: Record<string, number> };
  };
  "GET /api/events": {
    takes: {  };
    answer: null;
  };
  "GET /api/export": {
    takes: { query?: { sector?: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" | null } };
    answer: null;
  };
  "DELETE /api/exposure": {
    takes: { body?: {  } };
    answer: { sessionsEnded: number; signInsEnded: number };
  };
  "GET /api/exposure": {
    takes: {  };
    answer: { agentUrl: string | null; allowedHosts: Array<string>; bridge: { authorizeUrl: string | null; on: boolean }; check: { at: string; message: string; ok: boolean } | null; mode: "local" | "public"; publicUrl: string | null; signIns: Array<{ agent: string; client: string | null; clientId: string; createdAt: string; usedAt: string }>; trustedProxies: boolean };
  };
  "PUT /api/exposure": {
    takes: { body: { publicUrl: string } };
    answer: { agentUrl: string | null; allowedHosts: Array<string>; bridge: { authorizeUrl: string | null; on: boolean }; check: { at: string; message: string; ok: boolean } | null; mode: "local" | "public"; publicUrl: string | null; signIns: Array<{ agent: string; client: string | null; clientId: string; createdAt: string; usedAt: string }>; trustedProxies: boolean };
  };
  "POST /api/exposure/check": {
    takes: { body?: {  } };
    answer: { at: string; message: string; ok: boolean; steps: Array<{ about: string; outcome: "passed" | "warned" | "failed" | "not_run"; remedy: string | null; step: string; what: string | null }> };
  };
  "GET /api/finance/duplicates": {
    takes: { query?: { state?: "open" | "answered" | null; limit?: number | null } };
    answer: { open: number; rows: Array<{ a: { balance: string | null; balanceAsOf: string | null; connection: string; connectionId: string; currency: string | null; domain: string | null; id: string; institution: string | null; last4: string | null; name: string | null; provider: string; transactions: number }; answeredAt: string | null; answeredBy: string | null; b: { balance: string | null; balanceAsOf: string | null; connection: string; connectionId: string; currency: string | null; domain: string | null; id: string; institution: string | null; last4: string | null; name: string | null; provider: string; transactions: number }; id: string; reason: string; state: string }> };
  };
  "POST /api/finance/duplicates/{id}/confirm": {
    takes: { path: { id: string }; body?: {  } };
    answer: { a: { balance: string | null; balanceAsOf: string | null; connection: string; connectionId: string; currency: string | null; domain: string | null; id: string; institution: string | null; last4: string | null; name: string | null; provider: string; transactions: number }; answeredAt: string | null; answeredBy: string | null; b: { balance: string | null; balanceAsOf: string | null; connection: string; connectionId: string; currency: string | null; domain: string | null; id: string; institution: string | null; last4: string | null; name: string | null; provider: string; transactions: number }; id: string; reason: string; state: string };
  };
  "POST /api/finance/duplicates/{id}/unconfirm": {
    takes: { path: { id: string }; body?: {  } };
    answer: { a: { balance: string | null; balanceAsOf: string | null; connection: string; connectionId: string; currency: string | null; domain: string | null; id: string; institution: string | null; last4: string | null; name: string | null; provider: string; transactions: number }; answeredAt: string | null; answeredBy: string | null; b: { balance: string | null; balanceAsOf: string | null; connection: string; connectionId: string; currency: string | null; domain: string | null; id: string; institution: string | null; last4: string | null; name: string | null; provider: string; transactions: number }; id: string; reason: string; state: string };
  };
  "POST /api/import": {
    takes: {  };
    answer: { agents: number; connections: number; imported: number; notes: Array<string>; tables: Record<string, number> };
  };
  "POST /api/ingest/{connection}": {
    takes: { path: { connection: string }; query?: { partial?: "true" | "false" | null; outcomes?: "true" | "false" | null }; body: { deleted?: Array<string>; records?: Array<Record<string, any>> } | Array<Record<string, any>> };
    answer: { deleted: number; inserted: number; notes: Array<string>; outcomes?: Array<"inserted" | "updated" | "unchanged" | "deleted" | "rejected">; rejected: Array<{ field: string; index: number; message: string }>; unchanged: number; updated: number; upserted: number };
  };
  "POST /api/key/rotate": {
    takes: { body?: {  } };
    answer: { lost: number; resealed: number };
  };
  "GET /api/oauth-apps": {
    takes: {  };
    answer: { apps: Array<{ clientIdHint: string | null; configured: boolean; help: string; name: string; provider: string; redirectUri: string }> };
  };
  "DELETE /api/oauth-apps/{provider}": {
    takes: { path: { provider: string }; body?: {  } };
    answer: null;
  };
  "PUT /api/oauth-apps/{provider}": {
    takes: { path: { provider: string }; body: { clientId: string; clientSecret: string } };
    answer: null;
  };
  "POST /api/oauth/{provider}/paste": {
    takes: { path: { provider: string }; body: { address: string } };
    answer: { account: string | null; addHint: string | null; connections: Array<{ id: string; label: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; createdAt: string | null; expiresAt: string | null; granted: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; id: string; message: string | null; method: "paste" | "oauth" | string; missing: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; title: string }>; name: string; outcome: "pending" | "connected" | "partial" | "no_sectors" | "cancelled" | "failed" | null; problem: any; provider: string; revocation: string | null; revokedAt: string | null; signInId: string | null };
  };
  "POST /api/oauth/{provider}/start": {
    takes: { path: { provider: string }; body?: { signInId?: string | null } };
    answer: { attemptId: string; url: string };
  };
  "GET /api/onboarding": {
    takes: {  };
    answer: { dismissed: boolean; done: boolean; refusedKeySince: string | null; steps: Array<{ done: boolean; id: "source" | "agent" | "call" }> };
  };
  "POST /api/onboarding/complete": {
    takes: { body?: {  } };
    answer: null;
  };
  "GET /api/openapi.json": {
    takes: {  };
    answer: Record<string, any>;
  };
  "GET /api/operator/context": {
    takes: {  };
    answer: { agent: { expires_at: string | null; name: string }; freshness: Record<string, { connections: Array<{ as_of: string | null; covers_from: string | null; ends_at?: string; label: string; problem?: any; sample?: boolean; state: string }>; targets: Array<string> }>; now: string; sectors: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; timezone: string };
  };
  "POST /api/operator/fetch_live": {
    takes: { body: { aggregate?: Record<string, string>; budget?: number; changed_since?: string; count?: boolean; cursor?: string; format?: "rows" | "records"; group_by?: Array<string>; limit?: number; order_by?: Array<string>; search?: string; select?: Array<string>; target: string; timeout_s?: number; where?: Record<string, any> } };
    answer: { as_of: string | null; change_cursor?: string; columns: Array<string>; deleted?: Array<string>; empty?: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; fetched: Array<{ connection: string; deleted: number; message: string; outcome: string; upserted: number }>; matched?: number; next_cursor: string | null; notes?: Array<string>; returned: number; rows: Array<Array<any> | Record<string, any>>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> } | { fetched: Array<{ connection: string; deleted: number; message: string; outcome: string; upserted: number }>; notes?: Array<string>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" };
  };
  "GET /api/operator/schema": {
    takes: { query?: { target?: string | null } };
    answer: { every_record: Record<string, string>; tables: Array<{ about: string; covers?: Array<string>; examples: Array<Record<string, any>>; fields: Record<string, { more_values?: number; searchable?: boolean; type: string; unit?: string; untrusted?: boolean; values?: Array<string> }>; joins?: Record<string, string>; rows: number; target: string }> };
  };
  "GET /api/providers": {
    takes: {  };
    answer: { providers: Array<{ addHint: string | null; appConfigured: boolean; appHelp: string | null; asks: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" | null; title: string }>; fields: Array<{ help: string; kind: "text" | "secret" | "address" | "certificate"; label: string; name: string; optional: boolean }>; id: string; intervalMinutesMin: number | null; method: "push" | "paste" | "oauth" | string; name: string; pastedRedirectUri: string | null; redirectUri: string | null; returnWay: "callback" | "paste" | null; revocation: string | null; scopes: Array<string>; sectors: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home"> }> };
  };
  "GET /api/push-tables": {
    takes: {  };
    answer: { tables: Array<{ about: string; example: any; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; target: string }> };
  };
  "GET /api/read/describe_context": {
    takes: {  };
    answer: { agent: { expires_at: string | null; name: string }; freshness: Record<string, { connections: Array<{ as_of: string | null; covers_from: string | null; ends_at?: string; label: string; problem?: any; sample?: boolean; state: string }>; targets: Array<string> }>; now: string; sectors: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; timezone: string };
  };
  "POST /api/read/describe_context": {
    takes: { body?: {  } };
    answer: { agent: { expires_at: string | null; name: string }; freshness: Record<string, { connections: Array<{ as_of: string | null; covers_from: string | null; ends_at?: string; label: string; problem?: any; sample?: boolean; state: string }>; targets: Array<string> }>; now: string; sectors: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; timezone: string };
  };
  "POST /api/read/fetch_live": {
    takes: { body: { aggregate?: Record<string, string>; budget?: number; changed_since?: string; count?: boolean; cursor?: string; format?: "rows" | "records"; group_by?: Array<string>; limit?: number; order_by?: Array<string>; search?: string; select?: Array<string>; target: string; timeout_s?: number; where?: Record<string, any> } };
    answer: { as_of: string | null; change_cursor?: string; columns: Array<string>; deleted?: Array<string>; empty?: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; fetched: Array<{ connection: string; deleted: number; message: string; outcome: string; upserted: number }>; matched?: number; next_cursor: string | null; notes?: Array<string>; returned: number; rows: Array<Array<any> | Record<string, any>>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> } | { fetched: Array<{ connection: string; deleted: number; message: string; outcome: string; upserted: number }>; notes?: Array<string>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" };
  };
  "POST /api/read/get_record": {
    takes: { body: { field?: string; from?: number; id: string; raw?: boolean; target: string } };
    answer: { behind?: Array<{ because: string; connection: string; id: string; raw: any; source_id: string }>; notes?: Array<string>; record: Record<string, any>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> } | { empty: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; notes?: Array<string>; record: null; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string };
  };
  "GET /api/read/get_schema": {
    takes: { query?: { target?: string | null } };
    answer: { every_record: Record<string, string>; tables: Array<{ about: string; covers?: Array<string>; examples: Array<Record<string, any>>; fields: Record<string, { more_values?: number; searchable?: boolean; type: string; unit?: string; untrusted?: boolean; values?: Array<string> }>; joins?: Record<string, string>; rows: number; target: string }> };
  };
  "POST /api/read/get_schema": {
    takes: { body?: { target?: string } };
    answer: { every_record: Record<string, string>; tables: Array<{ about: string; covers?: Array<string>; examples: Array<Record<string, any>>; fields: Record<string, { more_values?: number; searchable?: boolean; type: string; unit?: string; untrusted?: boolean; values?: Array<string> }>; joins?: Record<string, string>; rows: number; target: string }> };
  };
  "POST /api/read/query": {
    takes: { body: { aggregate?: Record<string, string>; budget?: number; changed_since?: string; count?: boolean; cursor?: string; format?: "rows" | "records"; group_by?: Array<string>; limit?: number; order_by?: Array<string>; search?: string; select?: Array<string>; target: string; where?: Record<string, any> } };
    answer: { as_of: string | null; change_cursor?: string; columns: Array<string>; deleted?: Array<string>; empty?: { hint: string; reason: "no_match" | "no_connection" | "never_synced" | "paused" | "needs_sign_in" | "outside_window" }; matched?: number; next_cursor: string | null; notes?: Array<string>; returned: number; rows: Array<Array<any> | Record<string, any>>; sources: Array<{ as_of: string | null; connection: string; ends_at?: string; sample?: boolean; stale: boolean; state: string }>; target: string; untrusted: Array<string> };
  };
  "DELETE /api/sample": {
    takes: { body?: {  } };
    answer: { deleted: number };
  };
  "POST /api/sample": {
    takes: { body?: {  } };
    answer: { connections: Array<{ account: string | null; consentExpiresAt: string | null; createdAt: string; error: any; hasIngestSecret: boolean; health: string; id: string; isSample: boolean; label: string; lastSyncAt: string | null; nextSyncAt: string | null; provider: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; signInId: string | null; state: "active" | "paused"; syncIntervalMinutes: number | null; syncWindowDays: number | null; table: string }> };
  };
  "GET /api/sessions": {
    takes: { query?: { agent?: string | null } };
    answer: { sessions: Array<{ agent: string; calls: number; client: { name: string; version: string }; era: "legacy" | "modern" | "mirror"; id: string; lastCallAt: string | null; startedAt: string; via: "agent-port" | "bridge" | "read-mirror" }> };
  };
  "GET /api/signins": {
    takes: {  };
    answer: { signIns: Array<{ account: string | null; addHint: string | null; connections: Array<{ id: string; label: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; createdAt: string | null; expiresAt: string | null; granted: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; id: string; message: string | null; method: "paste" | "oauth" | string; missing: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; title: string }>; name: string; outcome: "pending" | "connected" | "partial" | "no_sectors" | "cancelled" | "failed" | null; problem: any; provider: string; revocation: string | null; revokedAt: string | null; signInId: string | null }> };
  };
  "GET /api/signins/{id}": {
    takes: { path: { id: string } };
    answer: { account: string | null; addHint: string | null; connections: Array<{ id: string; label: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; createdAt: string | null; expiresAt: string | null; granted: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; id: string; message: string | null; method: "paste" | "oauth" | string; missing: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; title: string }>; name: string; outcome: "pending" | "connected" | "partial" | "no_sectors" | "cancelled" | "failed" | null; problem: any; provider: string; revocation: string | null; revokedAt: string | null; signInId: string | null };
  };
  "POST /api/signins/{id}/complete": {
    takes: { path: { id: string }; body?: {  } };
    answer: { account: string | null; addHint: string | null; connections: Array<{ id: string; label: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; createdAt: string | null; expiresAt: string | null; granted: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; id: string; message: string | null; method: "paste" | "oauth" | string; missing: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; title: string }>; name: string; outcome: "pending" | "connected" | "partial" | "no_sectors" | "cancelled" | "failed" | null; problem: any; provider: string; revocation: string | null; revokedAt: string | null; signInId: string | null };
  };
  "POST /api/signins/{id}/credentials": {
    takes: { path: { id: string }; body: { credentials: Record<string, string | null> } };
    answer: { account: string | null; addHint: string | null; connections: Array<{ id: string; label: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; createdAt: string | null; expiresAt: string | null; granted: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; id: string; message: string | null; method: "paste" | "oauth" | string; missing: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; title: string }>; name: string; outcome: "pending" | "connected" | "partial" | "no_sectors" | "cancelled" | "failed" | null; problem: any; provider: string; revocation: string | null; revokedAt: string | null; signInId: string | null };
  };
  "POST /api/signins/{id}/revoke": {
    takes: { path: { id: string }; body?: {  } };
    answer: { account: string | null; addHint: string | null; connections: Array<{ id: string; label: string; sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home" }>; consent: { ended: boolean; message: string } | null; createdAt: string | null; expiresAt: string | null; granted: Array<"finance" | "mail" | "calendar" | "contacts" | "health" | "home">; id: string; message: string | null; method: "paste" | "oauth" | string; missing: Array<{ sector: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; title: string }>; name: string; outcome: "pending" | "connected" | "partial" | "no_sectors" | "cancelled" | "failed" | null; problem: any; provider: string; revocation: string | null; revokedAt: string | null; signInId: string | null };
  };
  "GET /api/stats/calls": {
    takes: { query?: { by?: "agent" | "sector" | "tool" | null; window?: string | null; step?: string | null; agent?: string | null } };
    answer: { series: Record<string, Array<number>>; t: Array<string> };
  };
  "GET /api/status": {
    takes: {  };
    answer: { attention: Array<{ kind: "database_down" | "record_waiting" | "journal_failing" | "record_dropped" | "zone_unset" | "actor_failing" | "connection_stopped" | "connection_warned" | "credential_ending" | "sign_in_unfinished" | "console_published" | "duplicates_open" | "upload_waiting" | "key_expiring"; ref: string | null; text: string }>; database: "ok" | "down"; exposure: { allowedHosts: Array<string>; check: { at: string; message: string; ok: boolean } | null; mode: "local" | "public"; url: string | null }; journal: { droppedRows: number; failingSince: string | null; state: "ok" | "failing" | "absent"; waitingRows: number }; onboarded: boolean; ports: { agent: number; console: number }; sample: boolean; sectors: Array<{ connections: number; lastSyncAt: string | null; name: "finance" | "mail" | "calendar" | "contacts" | "health" | "home"; rows: number | null }>; startedAt: string; timezone: { isSet: boolean; name: string }; version: string };
  };
  "GET /api/uploads": {
    takes: {  };
    answer: { uploads: Array<{ bytesReceived: number; createdAt: string; filesReceived: number; id: string; state: "receiving" | "checking" | "checked" | "running" | "done" | "cancelled" | "interrupted" | "failed"; totals: { deleted: number; files: number; inserted: number; refused: number; taken: number; unchanged: number; unread: number; updated: number } }> };
  };
  "POST /api/uploads": {
    takes: { body?: {  } };
    answer: { answers: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; bytesReceived: number; createdAt: string; destinations: Record<string, string | null>; files: Array<{ deleted: number; inserted: number; path: string; question: "account" | "currency" | "dateOrder" | "positive" | null; reason: string | null; refused: number; state: "read" | "empty" | "passedOver" | "unread" | "cutOff"; taken: number; unchanged: number; updated: number }>; filesReceived: number; id: string; notes: Array<string>; problem: string | null; reading: { bytes: number | null; bytesRead: number; path: string } | null; refusals: Array<{ isPartial: boolean; line: number; name: string; path: string; reason: string }>; state: "receiving" | "checking" | "checked" | "running" | "done" | "cancelled" | "interrupted" | "failed"; tables: Array<{ connectionId: string | null; deleted: number; inserted: number; label: string; refused: number; table: string; taken: number; unchanged: number; updated: number }>; totals: { deleted: number; files: number; inserted: number; refused: number; taken: number; unchanged: number; unread: number; updated: number }; work: "check" | "run" | null };
  };
  "DELETE /api/uploads/{id}": {
    takes: { path: { id: string }; body?: {  } };
    answer: null;
  };
  "GET /api/uploads/{id}": {
    takes: { path: { id: string } };
    answer: { answers: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; bytesReceived: number; createdAt: string; destinations: Record<string, string | null>; files: Array<{ deleted: number; inserted: number; path: string; question: "account" | "currency" | "dateOrder" | "positive" | null; reason: string | null; refused: number; state: "read" | "empty" | "passedOver" | "unread" | "cutOff"; taken: number; unchanged: number; updated: number }>; filesReceived: number; id: string; notes: Array<string>; problem: string | null; reading: { bytes: number | null; bytesRead: number; path: string } | null; refusals: Array<{ isPartial: boolean; line: number; name: string; path: string; reason: string }>; state: "receiving" | "checking" | "checked" | "running" | "done" | "cancelled" | "interrupted" | "failed"; tables: Array<{ connectionId: string | null; deleted: number; inserted: number; label: string; refused: number; table: string; taken: number; unchanged: number; updated: number }>; totals: { deleted: number; files: number; inserted: number; refused: number; taken: number; unchanged: number; unread: number; updated: number }; work: "check" | "run" | null };
  };
  "POST /api/uploads/{id}/cancel": {
    takes: { path: { id: string }; body?: {  } };
    answer: { answers: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; bytesReceived: number; createdAt: string; destinations: Record<string, string | null>; files: Array<{ deleted: number; inserted: number; path: string; question: "account" | "currency" | "dateOrder" | "positive" | null; reason: string | null; refused: number; state: "read" | "empty" | "passedOver" | "unread" | "cutOff"; taken: number; unchanged: number; updated: number }>; filesReceived: number; id: string; notes: Array<string>; problem: string | null; reading: { bytes: number | null; bytesRead: number; path: string } | null; refusals: Array<{ isPartial: boolean; line: number; name: string; path: string; reason: string }>; state: "receiving" | "checking" | "checked" | "running" | "done" | "cancelled" | "interrupted" | "failed"; tables: Array<{ connectionId: string | null; deleted: number; inserted: number; label: string; refused: number; table: string; taken: number; unchanged: number; updated: number }>; totals: { deleted: number; files: number; inserted: number; refused: number; taken: number; unchanged: number; unread: number; updated: number }; work: "check" | "run" | null };
  };
  "POST /api/uploads/{id}/check": {
    takes: { path: { id: string }; body?: { answers?: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; destinations?: Record<string, string | null> } };
    answer: { answers: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; bytesReceived: number; createdAt: string; destinations: Record<string, string | null>; files: Array<{ deleted: number; inserted: number; path: string; question: "account" | "currency" | "dateOrder" | "positive" | null; reason: string | null; refused: number; state: "read" | "empty" | "passedOver" | "unread" | "cutOff"; taken: number; unchanged: number; updated: number }>; filesReceived: number; id: string; notes: Array<string>; problem: string | null; reading: { bytes: number | null; bytesRead: number; path: string } | null; refusals: Array<{ isPartial: boolean; line: number; name: string; path: string; reason: string }>; state: "receiving" | "checking" | "checked" | "running" | "done" | "cancelled" | "interrupted" | "failed"; tables: Array<{ connectionId: string | null; deleted: number; inserted: number; label: string; refused: number; table: string; taken: number; unchanged: number; updated: number }>; totals: { deleted: number; files: number; inserted: number; refused: number; taken: number; unchanged: number; unread: number; updated: number }; work: "check" | "run" | null };
  };
  "POST /api/uploads/{id}/files": {
    takes: { path: { id: string }; query?: { path?: string | null } };
    answer: { bytes: number };
  };
  "GET /api/uploads/{id}/refusals": {
    takes: { path: { id: string } };
    answer: null;
  };
  "POST /api/uploads/{id}/run": {
    takes: { path: { id: string }; body?: { answers?: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; destinations?: Record<string, string | null> } };
    answer: { answers: Record<string, { account?: string; currency?: string; dateOrder?: "dmy" | "mdy" | "ymd"; positive?: "in" | "out"; zone?: string }>; bytesReceived: number; createdAt: string; destinations: Record<string, string | null>; files: Array<{ deleted: number; inserted: number; path: string; question: "account" | "currency" | "dateOrder" | "positive" | null; reason: string | null; refused: number; state: "read" | "empty" | "passedOver" | "unread" | "cutOff"; taken: number; unchanged: number; updated: number }>; filesReceived: number; id: string; notes: Array<string>; problem: string | null; reading: { bytes: number | null; bytesRead: number; path: string } | null; refusals: Array<{ isPartial: boolean; line: number; name: string; path: string; reason: string }>; state: "receiving" | "checking" | "checked" | "running" | "done" | "cancelled" | "interrupted" | "failed"; tables: Array<{ connectionId: string | null; deleted: number; inserted: number; label: string; refused: number; table: string; taken: number; unchanged: number; updated: number }>; totals: { deleted: number; files: number; inserted: number; refused: number; taken: number; unchanged: number; unread: number; updated: number }; work: "check" | "run" | null };
  };
  "GET /healthz": {
    takes: {  };
    answer: { status: "ok" };
  };
  "GET /metrics": {
    takes: {  };
    answer: null;
  };
  "GET /oauth/{provider}/callback": {
    takes: { path: { provider: string } };
    answer: null;
  };
}
