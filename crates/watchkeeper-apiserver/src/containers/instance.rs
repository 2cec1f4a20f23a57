//! Which run of a container is meant.

use serde_json::Value;

use crate::error::quoted;

/// The id of the run of a container whose log there is: of the one under way or the last one, or with
/// `previous` of the one before.
///
/// # Errors
///
/// Why there is none, as a kubelet says it (`validateContainerLogStatus` of `kubelet_pods.go`).
///
/// ```
/// use serde_json::json;
/// use watchkeeper_apiserver::containers::instance;
///
/// let state = json!({"waiting": {"reason": "ContainerCreating"}});
/// let pod = json!({
///     "metadata": {"name": "web"},
///     "status": {"containerStatuses": [{"name": "main", "state": state}]},
/// });
/// assert_eq!(
///     instance(&pod, "main", false),
///     Err("container \"main\" in pod \"web\" is waiting to start: ContainerCreating".to_owned())
/// );
/// ```
pub fn instance(pod: &Value, container: &str, previous: bool) -> Result<String, String> {
    let pod_name = quoted(crate::meta::name(pod));
    let name = format!("container {} in pod {pod_name}", quoted(container));
    let Some(status) = status_of(pod, container) else {
        return Err(format!("{name} is not available"));
    };
    let id = |value: &Value| value.as_str().filter(|id| !id.is_empty()).map(str::to_owned);
    let (state, last) = (&status["state"], &status["lastState"]["terminated"]);
    let last_id = id(&last["containerID"]);
    if previous {
        return last_id.ok_or_else(|| format!("previous terminated {name} not found"));
    }
    if state["running"].is_object() {
        return id(&status["containerID"]).ok_or_else(|| format!("{name} is not available"));
    }
    let terminated = &state["terminated"];
    if terminated.is_object() || last.is_object() {
        let ended = id(&terminated["containerID"]).or(last_id);
        return ended.ok_or_else(|| format!("{name} is terminated"));
    }
    let waits = format!("{name} is waiting to start");
    Err(match state["waiting"]["reason"].as_str() {
        Some("ErrImagePull") => format!("{waits}: image can't be pulled"),
        Some("ImagePullBackOff") => format!("{waits}: trying and failing to pull image"),
        Some(reason) => format!("{waits}: {reason}"),
        None if state["waiting"].is_object() => format!("{waits}: "),
        None => format!("{waits} - no logs yet"),
    })
}

fn status_of<'a>(pod: &'a Value, container: &str) -> Option<&'a Value> {
    let kinds = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
    let all = kinds.iter().filter_map(|kind| pod["status"][*kind].as_array()).flatten();
    all.into_iter().find(|status| status["name"] == container)
}

/// The id of the run of a container that is under way.
pub(super) fn running(pod: &Value, container: &str) -> Option<String> {
    let status = status_of(pod, container)?;
    status["state"]["running"].as_object()?;
    Some(status["containerID"].as_str().unwrap_or_default().to_owned())
}
