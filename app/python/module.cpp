// The module poisson3d._core: plans for arrays of any library. What users call is written in Python around it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <utility>

#include "distributed_plan.hpp"
#include "plan.hpp"
#include "poisson3d/adjoint.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "variable_plan.hpp"
#include "xla_calls.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace poisson3d;

namespace {

/// Error becomes the exception that poisson3d._errors makes of its code, name and sentence.
void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        try {
            const nb::object made =
                nb::module_::import_("poisson3d._errors")
                    .attr("make")(static_cast<int>(error.code()), name(error.code()), error.what());
            PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
        } catch (nb::python_error& another) {
            another.restore();
        }
    }
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "Plans of poisson3d for arrays of any library. Use poisson3d.Solver.";
    module.attr("version") = POISSON3D_VERSION;
    nb::register_exception_translator(translate);
    nb::set_leak_warnings(false);  // plans that are kept until the interpreter ends are no mistake

    nb::class_<python::Plan>(module, "Plan", "A planned solver: its memory, its FFT plans, its lock.")
        .def("solve", &python::Plan::solve, "f"_a, "u"_a, "boundary"_a.none(), "scale"_a, "stream"_a, "keep"_a)
        .def("apply", &python::Plan::apply, "f"_a, "u"_a, "scale"_a, "stream"_a, "keep"_a)
        .def("gradient", &python::Plan::gradient, "u"_a, "gradient"_a, "boundary"_a.none(), "f"_a.none(), "scale"_a,
             "stream"_a, "keep"_a)
        .def("make_wait", &python::Plan::make_wait, "stream"_a, "The stream waits for the plan's last work.")
        .def("own_stream", &python::Plan::own_stream, "A stream of the plan's own.")
        .def("positions", &python::Plan::positions, "axis"_a)
        .def(
            "results",
            [](python::Plan& plan) {
                nb::list list;
                for (const Result& result : plan.results())
                    list.append(nb::make_tuple(result.singular, result.mean_removed));
                return list;
            },
            "(singular, mean removed) of every field of the last solve; waits.")
        .def("freeness", &python::Plan::freeness, "u"_a)
        .def(
            "passes",
            [](python::Plan& plan) {
                nb::list list;
                for (const PassReport& pass : plan.passes())
                    list.append(nb::make_tuple(pass.name, pass.seconds, pass.bytes));
                return list;
            },
            "(name, seconds, bytes) of the passes of the last solve; waits.")
        .def_prop_ro("engine", [](const python::Plan& plan) { return name(plan.engine()); })
        .def_prop_ro("memory", [](const python::Plan& plan) { return name(plan.memory()); })
        .def_prop_ro("threads", &python::Plan::threads)
        .def_prop_ro("workspace", &python::Plan::workspace)
        .def_prop_ro("description", &python::Plan::description);

    nb::class_<python::VariablePlan>(module, "VariablePlan", "A planned solver for variable coefficients.")
        .def("set_points", &python::VariablePlan::set_points, "coefficient"_a, "helmholtz"_a.none())
        .def("set_faces", &python::VariablePlan::set_faces, "coefficient"_a, "helmholtz"_a.none())
        .def(
            "solve",
            [](python::VariablePlan& plan, nb::handle f, nb::handle u, nb::handle boundary, double scale,
               double tolerance, int max_iterations, nb::handle guess, std::uintptr_t stream) {
                const VariableResult result =
                    plan.solve(f, u, boundary, scale, tolerance, max_iterations, guess, stream);
                return nb::make_tuple(result.converged, result.iterations, result.residual, result.singular,
                                      result.mean_removed);
            },
            "f"_a, "u"_a, "boundary"_a.none(), "scale"_a, "tolerance"_a, "max_iterations"_a, "guess"_a.none(),
            "stream"_a, "(converged, iterations, residual, singular, mean removed)")
        .def("apply", &python::VariablePlan::apply, "u"_a, "f"_a, "stream"_a)
        .def_prop_ro("scaling", &python::VariablePlan::scaling)
        .def_prop_ro("threads", &python::VariablePlan::threads)
        .def_prop_ro("workspace", &python::VariablePlan::workspace)
        .def_prop_ro("description", &python::VariablePlan::description);

    nb::class_<Communicator>(module, "Communicator", "Those that solve together; this process is one of them.")
        .def_prop_ro("size", &Communicator::size)
        .def_prop_ro("mine", [](const Communicator& all) { return all.mine().front(); })
        .def_prop_ro("description", &Communicator::description)
        .def(
            "refuse", [](const Communicator& all) { all.refuse(ErrorCode::usage); },
            nb::call_guard<nb::gil_scoped_release>(),
            "In the place of a call of all members that this one cannot make: the others raise.");
    module.def("on_threads", &threads, "members"_a,
               "A communicator of threads of this process, fields in host memory.");
    module.def("on_devices", &devices, "numbers"_a, "A communicator of GPUs of this process.");
    nb::class_<python::Cuts>(module, "Cuts", "How a grid is cut.")
        .def(nb::init<>())
        .def_rw("word", &python::Cuts::word)
        .def_rw("members", &python::Cuts::members)
        .def_rw("rows", &python::Cuts::rows)
        .def_rw("columns", &python::Cuts::columns)
        .def_rw("order", &python::Cuts::order)
        .def_rw("box", &python::Cuts::box);
    nb::class_<python::DistributedPlan>(module, "DistributedPlan", "A planned solver of several members.")
        .def("solve", &python::DistributedPlan::solve, "f"_a, "u"_a, "boundaries"_a, "scale"_a, "streams"_a,
             "keep"_a)
        .def("apply", &python::DistributedPlan::apply, "f"_a, "u"_a, "scale"_a, "streams"_a, "keep"_a)
        .def("gradient", &python::DistributedPlan::gradient, "u"_a, "gradients"_a, "boundaries"_a, "f"_a, "scale"_a,
             "streams"_a, "keep"_a)
        .def("make_wait", &python::DistributedPlan::make_wait, "member"_a, "stream"_a)
        .def("own_stream", &python::DistributedPlan::own_stream, "member"_a)
        .def("results",
             [](python::DistributedPlan& plan) {
                 nb::list list;
                 for (const Result& result : plan.results())
                     list.append(nb::make_tuple(result.singular, result.mean_removed));
                 return list;
             })
        .def(
            "box",
            [](const python::DistributedPlan& plan, int member) {
                const Box box = plan.box(member);
                return std::make_pair(box.first, box.points);
            },
            "member"_a, "(first point, points) of a member.")
        .def("positions", &python::DistributedPlan::positions, "axis"_a)
        .def_prop_ro("traffic",
                     [](const python::DistributedPlan& plan) {
                         return nb::make_tuple(plan.traffic().messages, plan.traffic().bytes);
                     })
        .def(
            "sent_by",
            [](const python::DistributedPlan& plan, int member) {
                const Traffic sent = plan.sent_by(member);
                return nb::make_tuple(sent.messages, sent.bytes);
            },
            "member"_a)
        .def_prop_ro("method", [](const python::DistributedPlan& plan) { return name(plan.method()); })
        .def_prop_ro("threads", &python::DistributedPlan::threads)
        .def_prop_ro("workspace", &python::DistributedPlan::workspace)
        .def_prop_ro("description", &python::DistributedPlan::description);
    module.def(
        "distributed_plan",
        [](const std::string& precision, const python::Arguments& arguments, const Communicator& members,
           const std::vector<int>& devices, const python::Cuts& cuts, const std::string& method,
           const std::string& way, int chunks) {
            return python::make_distributed_plan(app::parse_precision("precision", precision), arguments, members,
                                                 devices, cuts, method, way, chunks);
        },
        "precision"_a, "arguments"_a, "members"_a, "devices"_a, "cuts"_a, "method"_a, "way"_a = "automatic",
        "chunks"_a = 0, "A call of all members.");

    nb::class_<python::Arguments>(module, "Arguments",
                                  "The arguments of a Solver as text, as _arguments.arguments() writes it.")
        .def(nb::init<>())
        .def_rw("shape", &python::Arguments::shape)
        .def_rw("spacing", &python::Arguments::spacing)
        .def_rw("positions", &python::Arguments::positions)
        .def_rw("widths", &python::Arguments::widths)
        .def_rw("conductances", &python::Arguments::conductances)
        .def_rw("weights", &python::Arguments::weights)
        .def_rw("boundary", &python::Arguments::boundary)
        .def_rw("centering", &python::Arguments::centering)
        .def_rw("origin", &python::Arguments::origin)
        .def_rw("discretization", &python::Arguments::discretization)
        .def_rw("helmholtz", &python::Arguments::helmholtz)
        .def_rw("gauge", &python::Arguments::gauge)
        .def_rw("engine", &python::Arguments::engine)
        .def_rw("memory", &python::Arguments::memory)
        .def_rw("middle", &python::Arguments::middle)
        .def_rw("threads", &python::Arguments::threads)
        .def_rw("device", &python::Arguments::device)
        .def_rw("batch", &python::Arguments::batch);
    module.def(
        "plan",
        [](const std::string& precision, const python::Arguments& arguments) {
            return python::make_plan(app::parse_precision("precision", precision), arguments);
        },
        "precision"_a, "arguments"_a, "Plans and allocates everything.");
    module.def(
        "variable_plan",
        [](const std::string& precision, const python::Arguments& arguments, std::optional<double> scaling) {
            return python::make_variable_plan(app::parse_precision("precision", precision), arguments, scaling);
        },
        "precision"_a, "arguments"_a, "scaling"_a.none());
    module.def(
        "workspace_bytes",
        [](const std::string& precision, const python::Arguments& arguments) {
            return python::workspace_bytes(app::parse_precision("precision", precision), arguments);
        },
        "precision"_a, "arguments"_a, "The bytes that such a plan would hold.");
    module.def(
        "adjoint",
        [](const python::Arguments& arguments) {
            Adjoint found = adjoint(python::make_problem(arguments));
            return std::make_pair(std::move(found.volumes), found.data);
        },
        "arguments"_a, "Control volumes along each axis, and the factor of the data of each face [axis][side].");
    module.def("register_xla_problem", &python::register_xla_problem, "arguments"_a);
    module.def("forget_xla_plans", &python::forget_xla_plans, "problem"_a);
    module.def("xla_plans", &python::xla_plans, "Plans that calls of XLA hold.");
    module.def("xla_handler", &python::xla_handler, "gpu"_a, "A capsule; None in a build without headers of XLA.");
    module.def("register_xla_members", &python::register_xla_members, "arguments"_a, "devices"_a, "method"_a);
    module.def("forget_xla_members", &python::forget_xla_members, "problem"_a);
    module.def("xla_members_handler", &python::xla_members_handler, "gpu"_a,
               "A capsule; None in a build without headers of XLA.");
    module.def(
        "engine_unavailable",
        [](const std::string& word) {
            return engine_unavailable(app::NameOf{Engine::host, Engine::cufft, Engine::fused}("engine", word));
        },
        "engine"_a, "Why an engine cannot be used here; empty if it can.");
    module.def("cuda_build", &cuda_build, "'built with CUDA 13.0' or 'built without CUDA'");
}
