/* SPDX-License-Identifier: Apache-2.0 */
#include "select.h"

#include "id.h"
#include "regular.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char schema[] = "ndft-select/4";

void ndft_select_path(const char *slug, char *path, size_t size)
{
    const char *own = getenv("NDFT_SELECT");
    if (own && *own)
        snprintf(path, size, "%s", own);
    else
        snprintf(path, size, "results/%s/select.json", slug);
}

/* The unpacking of one pick and of one entry: nonzero with the reason where it is not as the schema
 * says. */
static int read_pick(json_t *json, ndft_pick *pick, json_error_t *why)
{
    json_t *class;
    const char *kind;
    *pick = (ndft_pick){.kind = NDFT_NONUNIFORM};
    if (json_unpack_ex(json, why, 0, "{s:o, s:o, s:o}", "class", &class, "cases", &pick->cases,
                       "order", &pick->order) ||
        json_unpack_ex(class, why, 0, "{s:s, s:s, s:s, s:s, s:i, s:F}", "kind", &kind, "device",
                       &pick->device, "prec", &pick->prec, "mode", &pick->mode, "dim", &pick->dim,
                       "tol", &pick->tol))
        return -1;
    if (!strcmp(kind, "nonuniform")) return ndft_select_read_class(class, pick, why);
    pick->kind = NDFT_UNIFORM;
    if (!strcmp(kind, "uniform")) return ndft_select_read_class(class, pick, why);
    snprintf(why->text, sizeof why->text, "its kind is %.60s; there are nonuniform and uniform",
             kind);
    return -1;
}

static int read_entry(json_t *json, ndft_entry *entry, json_error_t *why)
{
    *entry = (ndft_entry){0};
    return json_unpack_ex(json, why, 0, "{s:s, s:s, s:F, s?o}", "variant", &entry->variant,
                          "record", &entry->record, "error", &entry->error, "measured",
                          &entry->measured);
}

static int read_measured(json_t *json, ndft_timed *m, json_error_t *why)
{
    *m = (ndft_timed){0};
    return json_unpack_ex(json, why, 0, "{s:i, s:F, s:o, s:o}", "case", &m->at, "median_s",
                          &m->median_s, "cost", &m->cost, "parts_s", &m->parts);
}

size_t ndft_select_size(const ndft_select *select)
{
    return json_array_size(json_object_get(select->root, "picks"));
}

ndft_pick ndft_select_pick(const ndft_select *select, size_t i)
{
    ndft_pick pick;
    json_error_t why;
    read_pick(json_array_get(json_object_get(select->root, "picks"), i), &pick, &why);
    return pick;
}

ndft_entry ndft_select_entry(const ndft_pick *pick, size_t i)
{
    ndft_entry entry;
    json_error_t why;
    read_entry(json_array_get(pick->order, i), &entry, &why);
    return entry;
}

ndft_timed ndft_select_timed(const ndft_entry *entry, size_t i)
{
    ndft_timed m;
    json_error_t why;
    read_measured(json_array_get(entry->measured, i), &m, &why);
    return m;
}

/* Nonzero with the reason where what an entry took is not as the schema says. */
static int check_measured(const ndft_pick *pick, const ndft_entry *entry, json_error_t *why)
{
    size_t i;
    json_t *item;
    ndft_timed m;
    json_array_foreach(entry->measured, i, item)
    {
        if (read_measured(item, &m, why)) return -1;
        if (m.at >= 0 && m.at < (int)json_array_size(pick->cases)) continue;
        snprintf(why->text, sizeof why->text, "no case %d", m.at);
        return -1;
    }
    return 0;
}

static ndft_status check_pick(const char *path, size_t i, json_t *json, ndft_error *err)
{
    ndft_pick pick;
    ndft_entry entry;
    ndft_case problem;
    json_error_t why;
    size_t at;
    json_t *item;
    if (read_pick(json, &pick, &why))
        return ndft_fail(err, NDFT_EINVAL, "%s: pick %zu: %s", path, i, why.text);
    if (!json_array_size(pick.cases) || !json_array_size(pick.order))
        return ndft_fail(err, NDFT_EINVAL, "%s: pick %zu has no case or no order", path, i);
    json_array_foreach(pick.cases, at, item)
    {
        const char *text = json_string_value(item);
        ndft_error inner = {0};
        if (!text || ndft_case_parse(text, &problem, &inner) || problem.kind != pick.kind)
            return ndft_fail(err, NDFT_EINVAL, "%s: pick %zu: its case %zu is none: %.500s", path,
                             i, at, inner.message);
    }
    json_array_foreach(pick.order, at, item)
    {
        if (read_entry(item, &entry, &why))
            return ndft_fail(err, NDFT_EINVAL, "%s: pick %zu: entry %zu of its order: %s", path, i,
                             at, why.text);
        if (check_measured(&pick, &entry, &why))
            return ndft_fail(err, NDFT_EINVAL, "%s: pick %zu: entry %zu of its order: measured: %s",
                             path, i, at, why.text);
    }
    return NDFT_OK;
}

static ndft_status check(const ndft_select *select, ndft_error *err)
{
    const char *found = json_string_value(json_object_get(select->root, "schema"));
    if (!found || strcmp(found, schema))
        return ndft_fail(err, NDFT_EINVAL, "%s: schema is %s, but only %s can be read",
                         select->path, found ? found : "missing", schema);
    const json_t *picks = json_object_get(select->root, "picks");
    if (!json_is_array(picks) || !json_is_object(json_object_get(select->root, "registry")))
        return ndft_fail(err, NDFT_EINVAL, "%s: it has no picks or no registry", select->path);
    size_t i;
    json_t *pick;
    json_array_foreach(picks, i, pick) { NDFT_TRY(check_pick(select->path, i, pick, err)); }
    return NDFT_OK;
}

ndft_status ndft_select_open(const char *path, ndft_select *select, ndft_error *err)
{
    snprintf(select->path, sizeof select->path, "%s", path);
    FILE *file = ndft_open_regular(path);
    if (!file) return ndft_fail(err, NDFT_EIO, "%s: %s", path, strerror(errno));
    json_error_t why;
    select->root = json_loadf(file, 0, &why);
    fclose(file);
    if (!select->root) return ndft_fail(err, NDFT_EINVAL, "%s:%d: %s", path, why.line, why.text);
    ndft_status status = check(select, err);
    if (status != NDFT_OK) ndft_select_close(select);
    return status;
}

void ndft_select_close(ndft_select *select)
{
    json_decref(select->root);
    select->root = NULL;
}

static bool decides_for(const ndft_select *select, const char *slug)
{
    for (size_t i = 0; i < ndft_select_size(select); i++)
        if (!strcmp(ndft_select_pick(select, i).device, slug)) return true;
    return false;
}

ndft_status ndft_select_current(const ndft_select *select, const ndft_device *device,
                                ndft_kind_of_problem kind, ndft_error *err)
{
    if (!decides_for(select, device->slug))
        return ndft_fail(err, NDFT_EINVAL, "%s: it was not made on %s", select->path, device->slug);
    const char *name;
    json_t *id;
    json_object_foreach(json_object_get(select->root, "registry"), name, id)
    {
        const char *dot = strrchr(name, '.'), *made_from = json_string_value(id);
        if (!dot || strcmp(dot + 1, device->backend)) continue;
        const ndft_registered *entry = ndft_registered_find(name, strlen(name));
        if (!entry)
            return ndft_fail(err, NDFT_EINVAL, "%s is stale: there is no %s any more", select->path,
                             name);
        if (entry->kind != kind) continue;
        if (!made_from || strcmp(made_from, entry->build_id))
            return ndft_fail(err, NDFT_EINVAL, "%s is stale: %s has changed since (%s, now %s)",
                             select->path, name, made_from ? made_from : "unknown",
                             entry->build_id);
    }
    return NDFT_OK;
}
